import { cardUserId, cardUserStream } from '../../contracts/events/card-user';
import { card } from '../../infra/program/features/card';
import { openPersonalTexts } from '../../infra/program/personal-texts';
import { decideKyc } from '../../services/card/user/commands';
import { cardUserKind, type CardUserCommand } from '../../services/card/user/decider';
import { createHandle } from '../../services/commands/handle';
import { startTestProgram, type TestProgram } from '../program';
import { cardClient, keysOf, type Answer } from './holder';

let program: TestProgram;
let url: string;
let now = Date.now();
let main: ReturnType<typeof cardClient>;

beforeAll(async () => {
  program = await startTestProgram({
    features: [card],
    settings: { CARD_SANDBOX: 'true' },
    clock: () => new Date(now),
  });
  url = await program.listen();
  main = cardClient(`${url}/card`);
});
afterAll(() => program.stop());

const statusOf = ({ status, body }: Answer) => `${status} ${String(body['code'] ?? '')}`.trim();
const stateOf = async (token: string) => {
  const { status, body } = await main.post('/account/state', { token });
  return status === 200 ? (body['state'] as Record<string, unknown>) : { status, code: body['code'] };
};
const idOf = (name: string): string => cardUserId('mainnet', keysOf(name).publicKey.toString('hex'));
const asOperator = (name: string, command: object) =>
  createHandle(program.deps.engines)(cardUserKind, cardUserStream(idOf(name)), {
    ...command,
    metadata: { now: new Date(now).toISOString(), actor: 'cli:anna' },
  } as CardUserCommand);

describe('the manifest', () => {
  it.each(['', '/card', '/card/testnet'])(
    'is at %p, and its host is the domain of the proofs',
    async mount => {
      const response = await fetch(`${url}${mount}/jsons/tonconnect-manifest.json`);
      expect(response.status).toBe(200);
      const manifest = (await response.json()) as { url: string; iconUrl: string };
      expect(manifest).toEqual({ name: expect.any(String), url, iconUrl: expect.any(String) });
      const icon = await fetch(manifest.iconUrl);
      expect(icon.headers.get('content-type')).toBe('image/png');
      const signature = [...new Uint8Array(await icon.arrayBuffer()).slice(1, 4)];
      expect(String.fromCharCode(...signature)).toBe('PNG');
    },
  );
});

describe('an enrolment', () => {
  it('gives a token, and again another one of the same user; both are valid', async () => {
    const keys = keysOf('alice');
    const tokens = [await main.enrol(keys), await main.enrol(keys)];
    expect(new Set(tokens).size).toBe(2);
    const profiles = await Promise.all(tokens.map(token => main.post('/v2/profile/get', { token })));
    const [first, second] = profiles.map(({ body }) => (body['data'] as { userId: string }).userId);
    expect(first).toBe(second);
    expect(first).not.toBe(idOf('alice'));
    expect(await stateOf(tokens[0]!)).toEqual({
      state: 'need-phone',
      notificationSettings: { enabled: true },
      suspended: false,
    });
  });

  it('uses a signature up: the same again is refused, on the other network too', async () => {
    const proofs = main.proofs(keysOf('bob'));
    const [ton] = proofs;
    expect(statusOf(await main.post('/v2/user/wallet/connect', proofs))).toBe('200');
    expect(statusOf(await main.post('/v2/user/wallet/connect', proofs))).toBe('409 signature_reused');
    expect(statusOf(await main.post('/v2/user/wallet/connect', ton))).toBe('409 signature_reused');
  });

  it('by the same proofs at once succeeds once', async () => {
    const proofs = main.proofs(keysOf('carol'));
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => main.post('/v2/user/wallet/connect', proofs)),
    );
    const codes = answers.map(statusOf).sort();
    expect(codes.filter(code => code === '200')).toHaveLength(1);
    expect(codes.filter(code => code !== '200')).toEqual(Array(7).fill('409 signature_reused'));
  });

  it('takes the proofs of its own network, and its token is of that alone', async () => {
    const test = cardClient(`${url}/card/testnet`, 'testnet');
    const token = await test.enrol(keysOf('dave'));
    expect(statusOf(await test.post('/account/state', { token }))).toBe('200');
    expect(statusOf(await main.post('/account/state', { token }))).toBe('401 card_token_invalid');
    const answer = await main.post('/v2/user/wallet/connect', test.proofs(keysOf('dave')));
    expect(statusOf(answer)).toBe('400 invalid_request');
  });

  it('by proofs that a page elsewhere has obtained is refused, whatever host the call names', async () => {
    const elsewhere = cardClient('https://evil.example/card');
    const answer = await main.post('/v2/user/wallet/connect', elsewhere.proofs(keysOf('eve')));
    expect(statusOf(answer)).toBe('403 signature_invalid');
  });
});

describe('a token', () => {
  it.each(['/account/state', '/v2/profile/get', '/v2/promo/iban', '/v2/user/kyc/start'])(
    'that nobody has is a 401 at %s, and no token a 400',
    async path => {
      expect(statusOf(await main.post(path, { token: 'A'.repeat(43) }))).toBe('401 card_token_invalid');
      expect(statusOf(await main.post(path, { token: 'x' }))).toBe('401 card_token_invalid');
      expect(statusOf(await main.post(path, {}))).toBe('400 invalid_request');
      expect(statusOf(await main.post(path, { token: 7 }))).toBe('400 invalid_request');
    },
  );

  it('is stored as a digest only', async () => {
    const token = await main.enrol(keysOf('frank'));
    for await (const page of program.deps.engines.store.readAll({}))
      for (const event of page) expect(JSON.stringify(event)).not.toContain(token);
  });

  it('is dead once all are revoked, and a new one is not', async () => {
    const keys = keysOf('grace');
    const token = await main.enrol(keys);
    await asOperator('grace', { type: 'revoke_tokens' });
    await program.projected();
    expect(await stateOf(token)).toEqual({ status: 401, code: 'card_token_invalid' });
    expect(await stateOf(await main.enrol(keys))).toMatchObject({ state: 'need-phone' });
  });

  it('is dead after 90 days', async () => {
    const token = await main.enrol(keysOf('heidi'));
    const before = now;
    try {
      now += 90 * 86_400_000 - 1_000;
      expect(await stateOf(token)).toMatchObject({ state: 'need-phone' });
      now += 1_000;
      expect(await stateOf(token)).toEqual({ status: 401, code: 'card_token_invalid' });
    } finally {
      now = before;
    }
  });
});

describe('the steps of a card holder', () => {
  const codeOf = ({ body }: Answer): string => (body['sandbox'] as { code: string }).code;
  const wrongOf = (code: string): string => (code === '000000' ? '000001' : '000000');

  it('lead from the phone number to the identification', async () => {
    const token = await main.enrol(keysOf('ivan'));
    const phone = await main.post('/v2/user/phone/start', { token, phone: '+4930123456' });
    expect(phone.status).toBe(200);
    expect(statusOf(await main.post('/v2/user/phone/confirm', { token, code: wrongOf(codeOf(phone)) }))).toBe(
      '422 card_code_wrong',
    );
    const confirmed = await main.post('/v2/user/phone/confirm', { token, code: codeOf(phone) });
    expect(confirmed.body).toMatchObject({ ok: true, state: { state: 'need-email' } });

    expect(statusOf(await main.post('/v2/user/kyc/start', { token }))).toBe('409 card_step_missing');
    const email = await main.post('/v2/user/email/start', { token, email: 'ivan@example.com' });
    await main.post('/v2/user/email/confirm', { token, code: codeOf(email) });
    expect(await stateOf(token)).toMatchObject({ state: 'need-kyc', kycStatus: null });

    const started = await main.post('/v2/user/kyc/start', { token });
    expect(started.body).toMatchObject({
      state: { state: 'need-kyc', kycStatus: { completed: false, result: null } },
    });
    const texts = await openPersonalTexts(program.deps.config, program.deps.engines);
    await decideKyc({ handle: program.deps.handle, texts, clock: () => new Date(now) }, idOf('ivan'), {
      result: 'GREEN',
      decidedAt: new Date(now).toISOString(),
      profile: { firstName: 'Ivan', country: 'DE' },
    });
    await program.projected();
    expect(await stateOf(token)).toMatchObject({ state: 'ok', suspended: false });
    const { body } = await main.post('/v2/profile/get', { token });
    expect(body['data']).toMatchObject({
      phone: '+4930123456',
      email: 'ivan@example.com',
      emailVerified: true,
      firstName: 'Ivan',
      lastName: '',
      country: 'DE',
    });
    for await (const page of program.deps.engines.store.readAll({}))
      for (const event of page) expect(JSON.stringify(event)).not.toMatch(/4930123456|ivan@|"Ivan"/);
  });

  it('a code is tried five times, also when a thousand guesses arrive at once', async () => {
    const token = await main.enrol(keysOf('judy'));
    const code = codeOf(await main.post('/v2/user/phone/start', { token, phone: '+4930123457' }));
    const guesses = Array.from({ length: 30 }, () =>
      main.post('/v2/user/phone/confirm', { token, code: wrongOf(code) }),
    );
    const codes = (await Promise.all(guesses)).map(statusOf);
    expect(codes.filter(each => each === '422 card_code_wrong').length).toBeLessThanOrEqual(5);
    for (;;) {
      const last = statusOf(await main.post('/v2/user/phone/confirm', { token, code: wrongOf(code) }));
      if (last === '409 card_code_expired') break;
    }
    expect(statusOf(await main.post('/v2/user/phone/confirm', { token, code }))).toBe(
      '409 card_code_expired',
    );
  });

  it('are not for who is suspended, whose token stays valid', async () => {
    const token = await main.enrol(keysOf('mallory'));
    await asOperator('mallory', {
      type: 'suspend',
      reason: { subject: idOf('mallory'), ciphertext: 'v1.x.x' },
    });
    await program.projected();
    expect(await stateOf(token)).toMatchObject({ state: 'need-phone', suspended: true });
    expect(statusOf(await main.post('/v2/user/phone/start', { token, phone: '+4930123458' }))).toBe(
      '403 card_user_suspended',
    );
  });
});

describe('whether the service is open', () => {
  const region = { countryCode: 'DE', storeFrontCode: 'DE' };
  const ask = (wallet: string, network: string) =>
    main.post('/v2/invite/wallet/check/v2', { wallet, network, region, dataDrivenBanners: true });

  it('is the same for card holders and others', async () => {
    await main.enrol(keysOf('niaj'));
    for (const wallet of ['EQAREREREREREREREREREREREREREREREREREREREREREeYT', 'nobody'])
      expect((await ask(wallet, 'ton-mainnet')).body).toEqual({ allowed: true });
    expect((await ask('nobody', 'ton-testnet')).body).toEqual({ allowed: false });
  });
});
