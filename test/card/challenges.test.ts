import { randomUUID } from 'node:crypto';
import { CARD_CHALLENGE_CATEGORY } from '../../contracts/events/card-challenge';
import { IssuerUnavailable } from '../../contracts/card-issuer/issuer';
import { card } from '../../infra/program/features/card';
import { cardIssuingWith } from '../../infra/program/features/card/issuing';
import { startTestProgram, type TestProgram } from '../program';
import { until } from '../until';
import { cardClient, keysOf } from './holder';
import { openCard, recordingIssuer, webhookSender } from './issuer';

const issuer = recordingIssuer();
const now = Math.floor(Date.now() / 1_000) * 1_000;
const at = (ms = 0) => new Date(now + ms).toISOString();
let clock = now;
let program: TestProgram;
let client: ReturnType<typeof cardClient>;
let webhooks: ReturnType<typeof webhookSender>;
let holder: Awaited<ReturnType<typeof newHolder>>;

beforeAll(async () => {
  program = await startTestProgram({
    features: [card, cardIssuingWith(issuer.resource)],
    settings: { CARD_SANDBOX: 'true', RATE_LIMIT_CARD_CHALLENGE_GUESSES: '10' },
    clock: () => new Date(clock),
  });
  const url = await program.listen();
  client = cardClient(`${url}/card`);
  webhooks = webhookSender(`${url}/card`, () => clock);
});
afterAll(() => program.stop());
beforeEach(async () => {
  clock = now;
  issuer.fail(null);
  holder = await newHolder();
});

async function newHolder() {
  const name = randomUUID();
  const token = await client.enrol(keysOf(name));
  const ids = await openCard(program, name, at());
  await webhooks.send({
    type: 'card.issued',
    data: { cardId: ids.cardId, occurredAt: at(), issuerCardId: 'issuer-1', lastFourDigits: '4242' },
  });
  await program.projected();
  return { ...ids, token };
}

const KINDS = {
  confirmation_request: { amount: { amount: '1250', currency: 'EUR' }, merchant: { dirtyName: 'SHOP*1' } },
  otp_code: { amount: { amount: '1250', currency: 'JPY' }, code: 'Zq7xW2vK' },
  activation_code: { code: 'Zq7xW2vK' },
} as const;

/** The issuer asks the holder. @returns the id of what it asks */
async function ask(kind: keyof typeof KINDS = 'confirmation_request', of = holder): Promise<string> {
  const challengeId = `txn-${randomUUID()}`;
  const asked = { challengeId, cardId: of.cardId, occurredAt: at(), expiresAt: at(60_000) };
  const data = { ...asked, kind, ...KINDS[kind] } as never;
  expect((await webhooks.send({ type: 'challenge.requested', data })).body).toMatchObject({
    result: 'recorded',
  });
  await program.projected();
  return challengeId;
}
const end = (challengeId: string, outcome: 'confirmed' | 'rejected' | 'expired') =>
  webhooks.send({
    type: 'challenge.ended',
    data: { challengeId, cardId: holder.cardId, occurredAt: at(), outcome },
  });
const asked = async (token = holder.token) => {
  await program.projected();
  return client.post('/v2/user/otp/requests', { token });
};
const confirm = (id: string, status = 'CONFIRMED', token = holder.token) =>
  client.post('/v2/user/otp/requests/confirm', { token, data: { id, status } });
const failed = (error: string) => ({ status: 200, body: { ok: false, error } });
const DONE = { status: 200, body: { ok: true } };
/** What the issuer was told of a challenge. */
const toldOf = (id: string) =>
  issuer.told.filter(each => (each as unknown[])[0] === 'answer' && (each as unknown[])[1] === id);

describe('what the issuer asks', () => {
  it('is shown while it is open, without members that have no value', async () => {
    expect(await asked()).toEqual(DONE);
    const txnId = await ask();
    const { cardId, accountId } = holder;
    expect(await asked()).toEqual({
      status: 200,
      body: {
        ok: true,
        data: {
          type: 'confirmation_request',
          txnId,
          cardId,
          accountId,
          status: 'PENDING',
          expiresAt: at(60_000),
          amount: '12.50',
          currency: 'EUR',
          merchant: { dirtyName: 'SHOP*1' },
        },
      },
    });
    clock = now + 60_000;
    expect(await asked()).toEqual(DONE);
    expect(await confirm(txnId)).toEqual(failed('expired'));
    expect(toldOf(txnId)).toEqual([]);
  });

  it('has a code, which no event has in clear, and which only its holder sees', async () => {
    await ask('otp_code');
    const other = await newHolder();
    expect((await asked()).body['data']).toMatchObject({
      type: 'otp_code',
      code: 'Zq7xW2vK',
      amount: '1250',
      currency: 'JPY',
    });
    expect(await asked(other.token)).toEqual(DONE);
    await ask('activation_code');
    expect((await asked()).body['data']).toMatchObject({ type: 'activation_code', code: 'Zq7xW2vK' });
    let events = '';
    for await (const page of program.deps.engines.store.readAll({ categories: [CARD_CHALLENGE_CATEGORY] }))
      events += JSON.stringify(page);
    expect(events).toContain(holder.cardId);
    expect(events).not.toContain('Zq7xW2vK');
  });

  it('is asked no more once the issuer has ended it', async () => {
    const id = await ask();
    await end(id, 'expired');
    expect(await asked()).toEqual(DONE);
    expect(await confirm(id)).toEqual(failed('expired'));
  });
});

describe('an answer', () => {
  it.each([
    ['CONFIRMED', true],
    ['REJECTED', false],
  ])('%s is told to the issuer once, and what was asked is gone', async (status, isConfirmed) => {
    const id = await ask();
    expect(await confirm(id, status)).toEqual(DONE);
    expect(await asked()).toEqual(DONE);
    await until(() => toldOf(id).length > 0);
    expect(toldOf(id)).toEqual([['answer', id, isConfirmed]]);
  });

  it('of two opposite ones at the same time one wins, and the issuer is told that one alone', async () => {
    const id = await ask();
    const statuses = ['CONFIRMED', 'REJECTED'].flatMap(status => Array<string>(4).fill(status));
    const answers = await Promise.all(statuses.map(status => confirm(id, status)));
    const winners = statuses.filter((_, n) => answers[n]!.body['ok']);
    expect(winners).toHaveLength(1);
    const isConfirmed = winners[0] === 'CONFIRMED';
    for (const { status, body } of answers.filter(answer => !answer.body['ok']))
      expect({ status, body }).toEqual(failed(isConfirmed ? 'already_confirmed' : 'already_rejected'));
    await until(() => toldOf(id).length > 0);
    expect(toldOf(id)).toEqual([['answer', id, isConfirmed]]);
  });

  it('is told later to an issuer that is away', async () => {
    issuer.fail(new IssuerUnavailable('away'));
    const id = await ask();
    expect(await confirm(id)).toEqual(DONE);
    issuer.fail(null);
    await until(() => toldOf(id).length > 0);
    expect(await confirm(id)).toEqual(failed('already_confirmed'));
  });

  it("to a code, to what is another's, and to what is unknown is refused with 200", async () => {
    expect(await confirm(await ask('otp_code'))).toEqual(failed('not_confirmation_type'));
    const other = await newHolder();
    const id = await ask('confirmation_request', other);
    expect(await confirm(id)).toEqual(failed('expired'));
    expect(await confirm('txn-unknown')).toEqual(failed('expired'));
    expect(await confirm('../'.repeat(20))).toEqual(failed('expired'));
    expect(await confirm(id, 'CONFIRMED', other.token)).toEqual(DONE);
  });

  it('to ids that are guessed is limited, and does not log out', async () => {
    const id = await ask();
    const answers = [];
    for (let n = 0; n < 11; n++) answers.push(await confirm(`txn-${n}`));
    expect(answers.slice(0, 10)).toEqual(Array(10).fill(failed('expired')));
    expect(answers[10]).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(await confirm(id)).toEqual(DONE);
  });

  it.each(['PENDING', 'confirmed', '', null])('%p is none: 400', async status => {
    expect((await confirm(await ask(), status as string)).status).toBe(400);
  });
});

describe('data that adds a card to a wallet of a phone', () => {
  const APPLE = { certificates: ['AAAA'], nonce: 'CCCC', nonceSignature: 'DDDD' };
  const GOOGLE = { walletAccountId: 'wallet-1', deviceId: 'device-1' };
  const get = (kind: 'apple' | 'google', id: string, token = holder.token, params?: unknown) =>
    client.post(`/v2/card/get/${kind}/provisioning/data`, {
      token,
      id,
      params: params ?? (kind === 'apple' ? APPLE : GOOGLE),
    });

  it('is of cards that are active, which are listed with the name of the holder', async () => {
    const { cardId: id, token } = holder;
    expect((await client.post('/v2/card/provisioning/list', { token })).body).toEqual({
      ok: true,
      cards: [{ id, lastFourDigits: '4242', title: 'EUR •• 4242', cardholderName: 'Anna Muster' }],
    });
    expect(await get('apple', id)).toEqual({
      status: 200,
      body: { data: { encryptedData: 'AAAA', activationData: 'BBBB', ephemeralPublicKey: 'CCCC' } },
    });
    expect(await get('google', id)).toEqual({ status: 200, body: { data: { encryptedData: 'AAAA' } } });
  });

  it.each(['apple', 'google'] as const)(
    "is not asked of the issuer for another's card, which is as an unknown one: %s",
    async kind => {
      const other = await newHolder();
      const before = issuer.told.filter(each => (each as unknown[])[0] === kind).length;
      const answers = [];
      for (const id of [other.cardId, randomUUID(), '../x', holder.accountId])
        answers.push(await get(kind, id));
      for (const { status, body } of answers) {
        expect(status).toBe(404);
        const { instance, requestId } = body;
        expect(body).toEqual({ ...answers[0]!.body, instance, requestId });
        expect(body).toMatchObject({ code: 'card_not_found', error: 'card_not_found' });
      }
      expect(issuer.told.filter(each => (each as unknown[])[0] === kind)).toHaveLength(before);
    },
  );

  it.each(['apple', 'google'] as const)('is a JSON object also where it fails: %s', async kind => {
    const { cardId, token } = holder;
    issuer.fail(new IssuerUnavailable('away'));
    expect(await get(kind, cardId)).toMatchObject({
      status: 503,
      body: { error: 'card_issuer_unavailable' },
    });
    issuer.fail(null);
    expect(await get(kind, cardId, token, { nonce: 1 })).toMatchObject({ status: 400 });
    expect(await get(kind, cardId, 'x'.repeat(43))).toMatchObject({ status: 401 });
    await webhooks.send({
      type: 'card.changed',
      data: { cardId, occurredAt: at(1), to: 'frozen' },
    });
    expect(await get(kind, cardId)).toMatchObject({ status: 409, body: { error: 'card_state' } });
    await program.projected();
    expect((await client.post('/v2/card/provisioning/list', { token })).body).toEqual({
      ok: true,
      cards: [],
    });
  });
});
