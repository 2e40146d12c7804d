import request from 'supertest';
import { card } from '../../infra/program/features/card';
import { startTestProgram, type TestProgram } from '../program';
import { initOfV4, tonElement } from './prove';
import { keysOf } from './holder';

const programs: TestProgram[] = [];
afterAll(() => Promise.all(programs.map(program => program.stop())));

const WEB = 'cards.example:8443';

async function start(settings: Record<string, string>) {
  const program = await startTestProgram({
    features: [card],
    settings: {
      CARD_SANDBOX: 'true',
      CARD_WEB_URL: `https://${WEB}/`,
      TRUSTED_PROXIES: '1',
      ...settings,
    },
  });
  programs.push(program);
  let signed = 0;
  const from = (ip: string, path: string, body: object) =>
    request(program.app).post(`/card${path}`).set('X-Forwarded-For', ip).send(body);
  return {
    program,
    from,
    enrol(ip: string, name: string) {
      const keys = keysOf(name);
      const timestamp = BEGAN - signed++;
      const proof = tonElement({ keys, init: initOfV4(keys), domain: WEB, timestamp });
      return from(ip, '/v2/user/wallet/connect', proof);
    },
  };
}

/** Unix seconds: each proof is signed a second before the last one, so that no two are the same bytes. */
const BEGAN = Math.floor(Date.now() / 1_000);
const [STRANGER, HONEST] = ['203.0.113.1', '192.0.2.1'];

it('a stranger with any number of keys leaves places for others, and who is enrolled enrols again', async () => {
  const { enrol } = await start({ MAX_CARD_USERS: '8' });
  for (const name of ['s1', 's2']) expect((await enrol(STRANGER, name)).status).toBe(200);
  const refused = await enrol(STRANGER, 's3');
  expect([refused.status, refused.body]).toMatchObject([429, { code: 'too_many_card_users' }]);
  expect(refused.headers['retry-after']).toBe('3600');
  expect((await enrol(STRANGER, 's1')).status).toBe(200);
  expect((await enrol(HONEST, 'honest')).status).toBe(200);
});

it('a stranger who enrols again and again leaves tokens for others, and theirs stay valid', async () => {
  const { enrol, from } = await start({ MAX_CARD_TOKENS: '8' });
  const { token } = (await enrol(HONEST, 'honest')).body as { token: string };
  expect((await enrol(STRANGER, 'stranger')).status).toBe(200);
  const refused = await enrol(STRANGER, 'stranger');
  expect([refused.status, refused.body]).toMatchObject([429, { code: 'too_many_card_tokens' }]);
  expect((await enrol('198.51.100.1', 'another')).status).toBe(200);
  expect((await from(HONEST, '/account/state', { token })).status).toBe(200);
});

it('a stranger with many card holders takes a share of the steps of a day, and somebody honest takes theirs', async () => {
  const { enrol, from } = await start({ RATE_LIMIT_CARD_STEPS: '1000', RATE_LIMIT_CARD_STEPS_PER_DAY: '20' });
  const statuses: number[] = [];
  for (const name of ['s1', 's2', 's3']) {
    const { token } = (await enrol(STRANGER, name)).body as { token: string };
    for (let n = 0; n < 3; n += 1) {
      const { status, body } = await from(STRANGER, '/v2/user/phone/start', { token, phone: '+4930123456' });
      if (status === 429) expect(body).toMatchObject({ 'violated-policies': ['card_steps_per_day'] });
      statuses.push(status);
    }
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429, 429]);
  const { token } = (await enrol(HONEST, 'honest')).body as { token: string };
  const { body } = await from(HONEST, '/v2/user/phone/start', { token, phone: '+4930123457' });
  const { code } = (body as { sandbox: { code: string } }).sandbox;
  expect((await from(HONEST, '/v2/user/phone/confirm', { token, code })).status).toBe(200);
});

it.each([
  ['phone', () => ({ phone: '+4930123456' })],
  [
    'email',
    (n: number) => ({ email: ['alice@example.com', `a.lice+${n}@example.com`, 'Alice@Example.com'][n % 3] }),
  ],
])(
  'strangers have few codes sent to a number or mailbox, and its owner gets one (%s)',
  async (kind, contactOf) => {
    const { enrol, from } = await start({ RATE_LIMIT_CARD_CONTACT_CODES: '100' });
    const startAs = async (ip: string, contact: object) => {
      const { token } = (await enrol(ip, `${ip} ${JSON.stringify(contact)}`)).body as { token: string };
      const { status, body } = await from(ip, `/v2/user/${kind}/start`, { token, ...contact });
      if (status === 429) expect(body).toMatchObject({ 'violated-policies': ['card_contact_codes_per_day'] });
      return { status, token, code: (body as { sandbox?: { code: string } }).sandbox?.code };
    };
    const attack = async (strangers: readonly string[], times: number): Promise<number> => {
      let sent = 0;
      for (const ip of strangers)
        for (let n = 0; n < times; n += 1) if ((await startAs(ip, contactOf(n))).status === 200) sent += 1;
      return sent;
    };
    expect(await attack([STRANGER, '203.0.113.2', '203.0.113.3'], 6)).toBe(5 + 3 + 3);
    const { code, token } = await startAs(HONEST, contactOf(0));
    expect((await from(HONEST, `/v2/user/${kind}/confirm`, { token, code })).status).toBe(200);
    expect(
      await attack(
        Array.from({ length: 10 }, (_, n) => `198.51.100.${n}`),
        2,
      ),
    ).toBe(8);
    const another = { phone: '+4930999999', email: 'bob@example.com' };
    expect((await startAs('192.0.2.2', another)).status).toBe(200);
  },
);

it('who guesses codes with the token of a holder has few guesses, and another holder confirms its own code', async () => {
  const { enrol, from } = await start({ RATE_LIMIT_CARD_CALLS: '0', RATE_LIMIT_CARD_CONTACT_CODES: '0' });
  const tokenOf = async (ip: string, name: string) =>
    ((await enrol(ip, name)).body as { token: string }).token;
  const [stolen, token] = [await tokenOf(STRANGER, 'victim'), await tokenOf(HONEST, 'honest')];
  const startAs = async (ip: string, caller: string, phone: string) => {
    const { status, body } = await from(ip, '/v2/user/phone/start', { token: caller, phone });
    return { status, body: body as { code?: string; sandbox?: { code: string } } };
  };
  const confirm = async (ip: string, caller: string, code: string) =>
    from(ip, '/v2/user/phone/confirm', { token: caller, code });
  const mine = await startAs(HONEST, token, '+4930999999');
  let sent: Awaited<ReturnType<typeof startAs>>[] = [];
  for (let n = 0; n < 11; n += 1) sent = [...sent, await startAs(STRANGER, stolen, `+493012345${n}`)];
  expect(sent.map(({ status }) => status)).toEqual([...Array<number>(10).fill(200), 429]);
  expect(sent.at(-1)!.body.code).toBe('too_many_card_codes');
  const right = sent.at(-2)!.body.sandbox!.code;
  const wrong = right === '000000' ? '000001' : '000000';
  for (let n = 0; n < 5; n += 1) expect((await confirm(STRANGER, stolen, wrong)).status).not.toBe(200);
  const guessed = await confirm(STRANGER, stolen, right);
  expect([guessed.status, guessed.body]).toMatchObject([409, { code: 'card_code_expired' }]);
  expect((await confirm(HONEST, token, mine.body.sandbox!.code)).status).toBe(200);
});

it('dead tokens are a 401 until the address has sent too many: then a 429, which no app takes for a logout', async () => {
  const { enrol, from } = await start({ RATE_LIMIT_CARD_DEAD_TOKENS: '2' });
  const { token } = (await enrol(HONEST, 'honest')).body as { token: string };
  const dead = { token: 'A'.repeat(43) };
  const answers = [];
  for (let n = 0; n < 3; n += 1) answers.push((await from(STRANGER, '/account/state', dead)).status);
  expect(answers).toEqual([401, 401, 429]);
  expect((await from(STRANGER, '/account/state', { token })).status).toBe(200);
  expect((await from(HONEST, '/account/state', dead)).status).toBe(401);
});

it('a card holder has its calls, whatever others of its address do', async () => {
  const { enrol, from } = await start({ RATE_LIMIT_CARD_CALLS: '3' });
  const [mine, others] = await Promise.all([enrol(HONEST, 'honest'), enrol(HONEST, 'other')]);
  const call = ({ body }: request.Response) =>
    from(HONEST, '/account/state', { token: (body as { token: string }).token });
  const statuses = [];
  for (let n = 0; n < 4; n += 1) statuses.push((await call(others)).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  expect((await call(mine)).status).toBe(200);
});

describe('a program', () => {
  const manifest = (program: TestProgram, host: string) =>
    request(program.app).get('/jsons/tonconnect-manifest.json').set('Host', host);

  it('names its web address by the setting, whatever host is called', async () => {
    const { program } = await start({});
    expect((await manifest(program, 'evil.example')).body).toMatchObject({ url: `https://${WEB}` });
  });

  it('without a web address takes no domain from a call but those of this machine', async () => {
    const { program } = await start({ CARD_WEB_URL: '' });
    const { status, body } = await manifest(program, 'evil.example');
    expect([status, body]).toMatchObject([404, { code: 'card_off' }]);
    const enrolled = request(program.app).post('/card/v2/user/wallet/connect').set('Host', 'evil.example');
    const keys = keysOf('eve');
    const timestamp = Math.floor(Date.now() / 1_000);
    const proof = tonElement({ keys, init: initOfV4(keys), domain: 'evil.example', timestamp });
    expect((await enrolled.send(proof)).body).toMatchObject({ code: 'card_off' });
    expect((await manifest(program, '127.0.0.1:3000')).body).toMatchObject({ url: 'http://127.0.0.1:3000' });
  });

  it('without local networks has no card service, and says so', async () => {
    const { enrol, from } = await start({ CARD_SANDBOX: '' });
    for (const { status, body } of [
      await enrol(HONEST, 'honest'),
      await from(HONEST, '/account/state', { token: 'A'.repeat(43) }),
    ])
      expect([status, body]).toMatchObject([404, { code: 'card_off' }]);
    const asked = { wallet: 'UQ', network: 'ton-mainnet' };
    expect((await from(HONEST, '/v2/invite/wallet/check/v2', asked)).body).toEqual({ allowed: false });
  });

  it('with invitations has those who enrol without one wait for it, and the same user goes on with one', async () => {
    const { from } = await start({ CARD_INVITATIONS: 'first-invitation, second-invitation' });
    const keys = keysOf('guest');
    let signed = 0;
    const enrol = async (invitation: object): Promise<unknown> => {
      const timestamp = BEGAN - signed++;
      const proof = { ...tonElement({ keys, init: initOfV4(keys), domain: WEB, timestamp }), ...invitation };
      const { body } = await from(HONEST, '/v2/user/wallet/connect', proof);
      return (await from(HONEST, '/account/state', { token: (body as { token: string }).token })).body;
    };
    expect(await enrol({})).toMatchObject({ state: { state: 'no-ref' } });
    expect(await enrol({ inviteId: 'first-invitatioN' })).toMatchObject({ state: { state: 'no-ref' } });
    expect(await enrol({ invitationId: 'second-invitation' })).toMatchObject({
      state: { state: 'need-phone' },
    });
    expect(await enrol({})).toMatchObject({ state: { state: 'need-phone' } });
  });
});
