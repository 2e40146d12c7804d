import { randomUUID } from 'node:crypto';
import { cardStream } from '../../contracts/events/card';
import { cardAccountStream } from '../../contracts/events/card-account';
import { startCardIssuerDouble, type CardIssuerDouble } from '../../infra/devnet/devnet';
import type { CardScenarioName } from '../../infra/devnet/card-issuer/scenarios';
import { createHttpIssuer } from '../../infra/engines/card-issuer/http-issuer';
import { card } from '../../infra/program/features/card';
import { cardAccounts } from '../../infra/program/features/card/accounts';
import { solana } from '../../infra/program/features/solana';
import { ton } from '../../infra/program/features/ton';
import { watch } from '../../infra/program/features/watch';
import { cardIssuingWith } from '../../infra/program/features/card/issuing';
import { cardAccountKind } from '../../services/card/account/decider';
import { changeCard } from '../../services/card/card/commands';
import { cardKind } from '../../services/card/card/decider';
import { createHandle } from '../../services/handle';
import { load } from '../../services/load';
import { startTestProgram, type TestProgram } from '../program';
import { until } from '../until';
import { cardClient, keysOf } from './holder';
import { openCard } from './issuer';

const KEY = 'k'.repeat(32);
const SECRET = Buffer.alloc(32, 7);
/** Cents are units of the account, so that amounts are easy to read. */
const CENTS = { currency: { ticker: 'EUR', decimals: 2, tokenContract: null } };

let program: TestProgram;
let url: string | null = null;
let double: CardIssuerDouble;
let main: ReturnType<typeof cardClient>;

beforeAll(async () => {
  const mounts = { mainnet: '/card', testnet: '/card/testnet' };
  double = await startCardIssuerDouble({
    ...{ key: KEY, secret: SECRET },
    webhookUrl: network => url && `${url}${mounts[network]}/webhooks/issuer`,
  });
  const issuer = createHttpIssuer({ url: double.url, key: KEY, sandbox: true });
  const opened = { secrets: [SECRET], issuer: () => Promise.resolve(issuer) };
  program = await startTestProgram({
    features: [
      card,
      cardAccounts,
      watch,
      cardIssuingWith({ open: () => Promise.resolve(opened), close: () => issuer.close() }),
    ],
    beside: [ton, solana],
    settings: { CARD_SANDBOX: 'true', CARD_CURRENCY: 'EUR' },
  });
  url = await program.listen();
  main = cardClient(`${url}/card`);
});
afterAll(async () => {
  await program.stop();
  await double.close();
});

const cardOf = (cardId: string) => load(program.deps.engines.store, cardKind, cardStream(cardId));

async function holder(money: object = CENTS) {
  const name = randomUUID();
  const token = await main.enrol(keysOf(name));
  const opened = await openCard(program, name, new Date().toISOString(), money);
  await until(async () => (await cardOf(opened.cardId))!.progress === 'issued');
  await program.projected();
  return { token, ...opened };
}

const balance = async (accountId: string) => {
  const { balance } = (await load(
    program.deps.engines.store,
    cardAccountKind,
    cardAccountStream(accountId),
  ))!;
  return `${balance.posted} ${balance.held}`;
};

async function play(scenario: CardScenarioName, cardId: string, rest = {}): Promise<string> {
  const response = await fetch(`${double.url}/scenarios`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}` },
    body: JSON.stringify({ scenario, cardId, amount: '10000', ...rest }),
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { play: string }).play;
}
const messagesOf = (run: string) => double.messages().filter(message => message.play === run);
const isPlayed = (run: string) => until(() => messagesOf(run).every(({ state }) => state !== 'waiting'));
const otp = (token: string) => main.post('/v2/user/otp/requests', { token });
const confirm = (token: string, id: string, status = 'CONFIRMED') =>
  main.post('/v2/user/otp/requests/confirm', { token, data: { id, status } });

it.each([
  ['purchase', '90000 0'],
  ['split-clearing', '91200 0'],
  ['increment', '88000 0'],
  ['partial-reversal', '94000 0'],
  ['reversal', '100000 0'],
  ['expiry', '100000 0'],
  ['force-post', '90000 0'],
  ['refund', '100000 0'],
  ['chargeback', '100000 0'],
  ['chargeback-lost', '90000 0'],
  ['unanswered', '90000 0'],
  ['late-answer', '100000 0'],
  ['reordered', '90000 0'],
  ['repeated', '100000 0'],
  ['unknown-type', '100000 0'],
  ['unknown-card', '100000 0'],
  ['bad-signature', '90000 0'],
  ['old-timestamp', '90000 0'],
] as const)('the scenario %s ends with %s posted and held', async (scenario, expected) => {
  const { cardId, accountId } = await holder();
  await isPlayed(await play(scenario, cardId));
  expect(await balance(accountId)).toBe(expected);
});

it.each([
  ['JPY', 0, '10000'],
  ['KWD', 3, '10.000'],
])('amounts of %s have %i decimals, whatever is done with them', async (fiatCurrency, decimals, shown) => {
  const currency = { ticker: fiatCurrency, decimals, tokenContract: null };
  const { token, cardId, accountId } = await holder({ fiatCurrency, currency });
  const transactionId = `txn-${cardId}`;
  const run = await play('three-d-secure', cardId, { transactionId });
  await until(async () => 'data' in (await otp(token)).body);
  expect((await otp(token)).body['data']).toMatchObject({ amount: shown, currency: fiatCurrency });
  await confirm(token, transactionId);
  await isPlayed(run);
  expect(await balance(accountId)).toBe('90000 0');
  for (const [scenario, expected] of [
    ['partial-reversal', '84000 0'],
    ['refund', '84000 0'],
    ['chargeback-lost', '74000 0'],
    ['force-post', '64000 0'],
  ] as const) {
    await isPlayed(await play(scenario, cardId));
    expect([scenario, await balance(accountId)]).toEqual([scenario, expected]);
  }
  await program.projected();
  const { body } = await main.post('/v2/card/events', { token, cardId, limit: 1 });
  expect((body['data'] as { events: object[] }).events).toMatchObject([
    { type: 'charge', data: { currency: fiatCurrency, currencyAmount: shown, amount: '10000' } },
  ]);
});

it('a purchase is confirmed by the holder, paid, cleared in two parts, refunded; frozen, the card is declined', async () => {
  const { token, cardId, accountId } = await holder();
  expect((await otp(token)).body).toEqual({ ok: true });
  const run = await play('three-d-secure', cardId, { transactionId: `txn-${cardId}` });
  await until(async () => 'data' in (await otp(token)).body);
  expect((await otp(token)).body).toEqual({
    ok: true,
    data: {
      ...{ type: 'confirmation_request', txnId: `txn-${cardId}`, cardId, accountId, status: 'PENDING' },
      ...{ amount: '100.00', currency: 'EUR', expiresAt: expect.any(String) },
      merchant: {
        ...{
          dirtyName: 'COFFEE 123 BERLIN',
          cleanName: 'Coffee (sandbox)',
          country: 'DE',
          merchantId: 'm-1',
        },
      },
    },
  });
  expect(await balance(accountId)).toBe('100000 0');
  expect(await confirm(token, `txn-${cardId}`)).toEqual({ status: 200, body: { ok: true } });
  expect((await otp(token)).body).toEqual({ ok: true });
  await isPlayed(run);
  expect(await balance(accountId)).toBe('90000 0');

  await isPlayed(await play('refund', cardId));
  expect(await balance(accountId)).toBe('90000 0');

  const now = new Date().toISOString();
  await changeCard({ handle: createHandle(program.deps.engines) }, cardId, {
    ...{ type: 'freeze', by: 'holder', reason: '', occurredAt: now, metadata: { now, actor: 'holder' } },
  });
  await until(async () => (await cardOf(cardId))!.usage === 'frozen');
  const declined = await play('purchase', cardId);
  await isPlayed(declined);
  expect(messagesOf(declined).map(({ state }) => state)).toEqual(['answered', 'dropped']);
  expect(await balance(accountId)).toBe('90000 0');
});

describe('a question of the issuer', () => {
  const asked = async (scenario: CardScenarioName = 'three-d-secure') => {
    const { token, cardId, accountId } = await holder();
    const id = `txn-${randomUUID()}`;
    const run = await play(scenario, cardId, { transactionId: id });
    await until(async () => 'data' in (await otp(token)).body);
    return { token, id, run, accountId };
  };

  it('that is rejected is not paid', async () => {
    const { token, id, run, accountId } = await asked();
    expect((await confirm(token, id, 'REJECTED')).body).toEqual({ ok: true });
    await isPlayed(run);
    expect(messagesOf(run).map(({ state }) => state)).toEqual(['answered', 'dropped', 'dropped', 'dropped']);
    expect(await balance(accountId)).toBe('100000 0');
    expect((await confirm(token, id)).body).toEqual({ ok: false, error: 'already_rejected' });
  });

  it('that is answered twice at once, oppositely, has one answer', async () => {
    const { token, id } = await asked();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => confirm(token, id, n % 2 ? 'REJECTED' : 'CONFIRMED')),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    const won = answers.findIndex(({ body }) => body['ok'] === true);
    const error = won % 2 ? 'already_rejected' : 'already_confirmed';
    const lost = answers.filter((_, n) => n !== won).map(({ body }) => body);
    expect(lost).toEqual(Array(5).fill({ ok: false, error }));
  });

  it('of somebody else, and an unknown one, has expired, and nothing changes', async () => {
    const { token, id } = await asked();
    const { token: other } = await holder();
    const expired = { status: 200, body: { ok: false, error: 'expired' } };
    expect(await confirm(other, id)).toEqual(expired);
    expect(await confirm(token, 'txn-none')).toEqual(expired);
    expect(await confirm(token, '../../x y')).toEqual(expired);
    expect((await confirm(token, id)).body).toEqual({ ok: true });
  });

  it('about a code shows it, stores it for nobody else, and has no answer', async () => {
    const { token, id } = await asked('otp-code');
    expect((await otp(token)).body['data']).toMatchObject({ type: 'otp_code', code: '4711', txnId: id });
    expect((await confirm(token, id)).body).toEqual({ ok: false, error: 'not_confirmation_type' });
    for await (const page of program.deps.engines.store.readAll({ categories: ['cardChallenge'] }))
      for (const event of page) expect(JSON.stringify(event.data)).not.toContain('4711');
  });

  it('that the issuer has ended is not shown, and cannot be answered', async () => {
    const { token, cardId } = await holder();
    const id = `txn-${randomUUID()}`;
    await isPlayed(await play('challenge-expired', cardId, { transactionId: id }));
    await program.projected();
    expect((await otp(token)).body).toEqual({ ok: true });
    expect((await confirm(token, id)).body).toEqual({ ok: false, error: 'expired' });
  });

  it('with a malformed answer is a 400, and with a dead token a 401', async () => {
    const { token, id } = await asked();
    expect((await confirm(token, id, 'MAYBE')).status).toBe(400);
    expect((await main.post('/v2/user/otp/requests/confirm', { token })).status).toBe(400);
    expect((await confirm('dead', id)).status).toBe(401);
    expect((await otp('dead')).status).toBe(401);
  });
});

it.each(['http-502', 'http-429', 'dropped', 'lost', 'html'] as const)(
  'an issuer that answers with %s is told again, and does it once',
  async fault => {
    const { cardId } = await holder();
    double.failNext(fault, 2);
    const now = new Date().toISOString();
    await changeCard({ handle: createHandle(program.deps.engines) }, cardId, {
      ...{ type: 'block', by: 'holder', reason: '', occurredAt: now, metadata: { now, actor: 'holder' } },
    });
    await until(async () => (await cardOf(cardId))!.usage === 'blocked');
    const told = double.messages().filter(({ body }) => body.includes(cardId) && body.includes('"blocked"'));
    expect(told).toHaveLength(1);
  },
);

describe('wallets of phones', () => {
  const apple = { certificates: ['AAAA', 'BBBB'], nonce: 'AAAA', nonceSignature: 'AAAA' };
  const google = { walletAccountId: 'wallet', deviceId: 'device' };
  const calls = [
    [
      '/v2/card/get/apple/provisioning/data',
      apple,
      ['activationData', 'encryptedData', 'ephemeralPublicKey'],
    ],
    ['/v2/card/get/google/provisioning/data', google, ['encryptedData']],
  ] as const;

  it('may have the active cards of the holder', async () => {
    const { token, cardId } = await holder();
    const digits = (await cardOf(cardId))!.lastFourDigits;
    const { body } = await main.post('/v2/card/provisioning/list', { token });
    expect(body).toEqual({
      ok: true,
      cards: [
        { id: cardId, lastFourDigits: digits, title: `EUR •• ${digits}`, cardholderName: 'Anna Muster' },
      ],
    });
  });

  it.each(calls)(
    "%s gives what the issuer has encrypted, of one's own card alone",
    async (path, params, names) => {
      const [alice, bob] = [await holder(), await holder()];
      const own = await main.post(path, { token: alice.token, id: alice.cardId, params });
      expect(own.status).toBe(200);
      expect(Object.keys(own.body['data'] as object).sort()).toEqual(names);
      const calls = [
        await main.post(path, { token: alice.token, id: bob.cardId, params }),
        await main.post(path, { token: alice.token, id: randomUUID(), params }),
        await main.post(path, { token: alice.token, id: '../x', params }),
      ];
      for (const { status, body } of calls)
        expect([status, body['code'], body['error']]).toEqual([404, 'card_not_found', expect.any(String)]);
    },
  );

  it.each(calls)('%s answers what is wrong with a JSON object that has `error`', async (path, params) => {
    const { token, cardId } = await holder();
    const wrong = [
      { token, id: cardId },
      { token: 'dead', id: cardId, params },
      { token, id: 7, params },
    ];
    const statuses = [];
    for (const body of wrong) {
      const answer = await main.post(path, body);
      expect(answer.body).toMatchObject({ error: expect.any(String) });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([400, 401, 400]);
    double.failNext('http-502');
    const away = await main.post(path, { token, id: cardId, params });
    expect([away.status, away.body['code']]).toEqual([503, 'card_issuer_unavailable']);
  });
});
