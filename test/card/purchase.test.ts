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
import { cardStatus } from '../../projections/card/card-state';
import { cardAccountKind } from '../../services/card/account/decider';
import { changeCard } from '../../services/card/card/commands';
import { cardKind } from '../../services/card/card/decider';
import { createHandle } from '../../services/commands/handle';
import { load } from '../../services/commands/load';
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
    key: KEY,
    secret: SECRET,
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
  ['at-once', '92000 0'],
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
      type: 'confirmation_request',
      txnId: `txn-${cardId}`,
      cardId,
      accountId,
      status: 'PENDING',
      amount: '100.00',
      currency: 'EUR',
      expiresAt: expect.any(String),
      merchant: {
        dirtyName: 'COFFEE 123 BERLIN',
        cleanName: 'Coffee (sandbox)',
        country: 'DE',
        merchantId: 'm-1',
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
    type: 'freeze',
    by: 'holder',
    reason: '',
    occurredAt: now,
    metadata: { now, actor: 'holder' },
  });
  await until(async () => (await cardOf(cardId))!.usage === 'frozen');
  const declined = await play('purchase', cardId);
  await isPlayed(declined);
  expect(messagesOf(declined).map(({ state }) => state)).toEqual(['answered', 'dropped']);
  expect(await balance(accountId)).toBe('90000 0');
});

interface Listed {
  readonly id: string;
  readonly balance: string;
  readonly limits: object;
  readonly cards: readonly {
    readonly id: string;
    readonly status: string;
    readonly lastFourDigits: string;
  }[];
}
const listed = async (token: string) => {
  await program.projected();
  return (await main.post('/v2/account/list', { token })).body as {
    list: Listed[];
    prepaidCards: { id: string; status: string; fiatBalance: string }[];
  };
};
const eventsOf = async (token: string, cardId: string) => {
  const { body } = await main.post('/v2/card/events', { token, cardId, limit: 40, order: 'asc' });
  return (body['data'] as { events: { type: string }[] }).events.map(({ type }) => type);
};

describe('a card that the issuer has replaced', () => {
  const provisionable = async (token: string) => {
    const { body } = await main.post('/v2/card/provisioning/list', { token });
    return (body['cards'] as { id: string }[]).map(({ id }) => id);
  };

  it('is closed, another one takes its place with the same limits, and what it had bought is cleared', async () => {
    const { token, cardId, accountId } = await holder();
    const limits = { onetime: '50000', daily: '60000', monthly: '70000' };
    await main.post('/v2/account/limits', { token, id: accountId, limits });
    const run = await play('card-replaced', cardId);
    await isPlayed(run);
    const sent = messagesOf(run).map(({ body }) => (JSON.parse(body) as { type: string }).type);
    expect(sent).toEqual(['authorisation.requested', 'card.replaced', 'purchase.cleared']);
    expect(await balance(accountId)).toBe('90000 0');
    const account = async () => (await listed(token)).list.find(({ id }) => id === accountId)!;
    const { cards, ...rest } = await until(account, ({ cards: [, next] }) => next?.status === 'ACTIVE');
    const [old, next] = cards;
    expect(cards).toHaveLength(2);
    expect(old).toMatchObject({ id: cardId, status: 'CLOSED' });
    expect(next!.id).not.toBe(cardId);
    expect(rest).toMatchObject({ balance: '90000', limits: { ...limits, dailySpent: '10000' } });
    expect(await provisionable(token)).toEqual([next!.id]);
    expect((await cardOf(cardId))!.replacedBy).toBe(next!.id);
    expect((await cardOf(next!.id))!.replaces).toBe(cardId);
    expect(await eventsOf(token, cardId)).toContain('contract_closed');

    // The old one buys nothing, the other one does.
    await isPlayed(await play('purchase', cardId));
    expect(await balance(accountId)).toBe('90000 0');
    await isPlayed(await play('purchase', next!.id));
    expect(await balance(accountId)).toBe('80000 0');
  });

  it('is replaced once, whenever that is repeated, and also after it was blocked', async () => {
    const { token, cardId, accountId } = await holder();
    await main.post('/v2/card/block', { token, id: cardId });
    await until(async () => (await cardOf(cardId))!.usage === 'blocked');
    for (const _ of [1, 2]) await isPlayed(await play('card-replaced', cardId));
    const cards = async () => (await listed(token)).list.find(({ id }) => id === accountId)!.cards;
    await until(async () => (await cards())[1]?.status === 'ACTIVE');
    expect((await cards()).map(({ status }) => status)).toEqual(['CLOSED', 'ACTIVE']);
    expect(await balance(accountId)).toBe('100000 0');
  });

  it('is not replaced once its holder has closed it', async () => {
    const { token, cardId, accountId } = await holder();
    await main.post('/v2/card/close', { token, id: cardId });
    const run = await play('card-replaced', cardId);
    await isPlayed(run);
    const replaced = messagesOf(run).find(({ body }) => body.includes('card.replaced'))!;
    expect(replaced.answer!.body).toContain('set_aside');
    const { cards } = (await listed(token)).list.find(({ id }) => id === accountId)!;
    expect(cards.map(({ status }) => status)).toEqual(['CLOSED']);
  });

  it('that is prepaid keeps its money, which is shown once', async () => {
    const { token, accountId } = await holder();
    const order = { token, accountId, key: 'prepaid', type: 'PREPAID' };
    const { id } = (await main.post('/v2/card/order', order)).body['card'] as { id: string };
    await main.post('/v2/card/pay', { token, id });
    await until(async () => (await cardOf(id))!.progress === 'issued');
    await main.post('/v2/card/prepaid/load', { token, id, accountId, amount: '5000', key: 'first' });
    await isPlayed(await play('card-replaced', id, { amount: '1000' }));
    const prepaid = async () => (await listed(token)).prepaidCards;
    await until(async () => (await prepaid())[1]?.status === 'ACTIVE');
    expect((await prepaid()).map(({ status, fiatBalance }) => [status, fiatBalance])).toEqual([
      ['CLOSED', '0.00'],
      ['ACTIVE', '40.00'],
    ]);
  });
});

it.each([
  ['frozen-by-issuer', 'ACTIVE'],
  ['frozen-reordered', 'ACTIVE'],
  ['closed-by-issuer', 'CLOSED'],
] as const)('after the scenario %s the card is %s', async (scenario, status) => {
  const { cardId } = await holder();
  await isPlayed(await play(scenario, cardId));
  expect(cardStatus((await cardOf(cardId))!)).toBe(status);
});

it('a holder whom the issuer no longer accepts has to be identified again', async () => {
  const { token, cardId } = await holder();
  const state = async () => {
    await program.projected();
    return (await main.post('/account/state', { token })).body['state'] as object;
  };
  expect(await state()).toMatchObject({ state: 'ok' });
  await isPlayed(await play('kyc-red-after-green', cardId));
  expect(await state()).toMatchObject({ state: 'need-kyc', kycStatus: { result: 'RED' } });
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
      type: 'block',
      by: 'holder',
      reason: '',
      occurredAt: now,
      metadata: { now, actor: 'holder' },
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
