import { pino } from 'pino';
import request from 'supertest';
import { EXCHANGE_ORDER_CATEGORY } from '../../contracts/events/exchange-order';
import { NO_LIMITS, type RateLimits } from '../../contracts/ports/rate-limits';
import { exchangeOrdersProjection } from '../../projections/exchange/orders';
import { createOrder } from '../../services/exchange/order/create-endpoint';
import { createEstimates } from '../../services/exchange/market/estimates';
import { exchangeMarketRoutes } from '../../services/exchange/market/routes';
import { createFollowOrder } from '../../services/exchange/order/changes';
import { placeOrder } from '../../services/exchange/order/place';
import { exchangeOrderRoutes } from '../../services/exchange/order/routes';
import { createHandle } from '../../services/handle';
import { createApp } from '../../services/http/app';
import { createWaitLimit } from '../../services/read-until';
import { dataFolder, PROJECTING_TIMEOUT_MS } from '../projections/program';
import { until } from '../until';
import { openPartner, type TestPartner } from './partner';
import { appCreated, appDetails, appFailure, appList } from './wallet-app';

const TON = 'UQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB5-k';
const BOUNCEABLE = 'EQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB8Jh';
const OTHER = 'UQAICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICIdh';
const TESTNET = 'kQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB3nr';
const SOLANA = 'So11111111111111111111111111111111111111112';

const sourceOf = (ip: string): string => ip;
const logger = pino({ level: 'silent' });

/** The endpoints over the adapter to a double of the partner, orders being placed as the program does. */
async function exchangeServer({
  waitMs = PROJECTING_TIMEOUT_MS,
  foldWaitMs = PROJECTING_TIMEOUT_MS,
  isProjecting = true,
  limits = NO_LIMITS,
} = {}) {
  const folder = dataFolder();
  const { store, views, start } = folder.open({ projections: [exchangeOrdersProjection] });
  if (isProjecting) start();
  const stop = new AbortController();
  const { signal } = stop;
  const handle = createHandle({ store });
  const clock = (): Date => new Date();
  const opened: TestPartner = await openPartner({ now: Date.now });
  const { partner } = opened;
  const call = { priority: 'estimate', signal } as const;
  const all = await partner.currencies(call);

  const currencies = {
    async sourcesOf(to: string) {
      const tickers = new Set(await known(to));
      return all.filter(({ ticker }) => tickers.has(ticker));
    },
    listed: async () => [],
  };
  /** As observed before an outage. */
  const pairs = new Map<string, readonly string[]>();
  const known = async (to: string): Promise<readonly string[]> => {
    if (!pairs.has(to)) pairs.set(to, await partner.sourcesOf(to, call));
    return pairs.get(to)!;
  };
  for (const to of ['ton', 'sol']) await known(to);

  const placing = {
    ...{ store, handle, clock, logger },
    partner: async () => partner,
    floatOrderTtlMs: 3_600_000,
    onOutcome: () => undefined,
  };
  async function place(): Promise<void> {
    const categories = [EXCHANGE_ORDER_CATEGORY];
    for await (const { events } of store.subscribe({ after: -1, categories, signal }))
      for (const { type, data } of events)
        if (type === 'ExchangeOrderRequested') void placeOrder(placing, data['orderId'] as string);
  }
  const working = place();

  const estimate = createEstimates({
    ...{ currencies, signal },
    partner: async () => partner,
    limits: async () => limits,
    now: Date.now,
  });
  const creating = {
    ...{ store, views, currencies, estimate, handle, clock, waitMs },
    partner: async () => partner,
    sourceOf,
    maxUnpaid: 0,
    follow: createFollowOrder({ store, logger }, signal),
    waitLimit: createWaitLimit(0),
  };
  const app = createApp(
    [
      ...exchangeMarketRoutes({ currencies, estimate }),
      ...exchangeOrderRoutes({
        ...{ views, handle, clock, sourceOf },
        create: (body, caller) => createOrder(creating, body, caller),
        refresh: async () => null,
        waitMs: foldWaitMs,
      }),
    ],
    { logger, trustedProxies: 0, checkResponses: true, limits },
  );
  return {
    double: opened.double,
    pairs,
    async post(path: string, body: object) {
      const { status, body: answer, headers } = await request(app).post(path).send(body);
      // eslint-disable-next-line @typescript-eslint/no-explicit-any
      return { status, body: answer as any, headers: headers as Record<string, string> };
    },
    async close() {
      stop.abort();
      await working.catch(() => undefined);
      await opened.close();
      await folder.remove();
    },
  };
}
type Server = Awaited<ReturnType<typeof exchangeServer>>;

let server: Server;
beforeAll(async () => {
  server = await exchangeServer();
});
afterAll(() => server.close());

let keys = 1_000;
const order = (more: object = {}) => ({
  fromCurrency: 'btc',
  toCurrency: 'ton',
  network: 'bitcoin',
  amount: '0.01',
  idempotencyKey: String(keys++),
  wallet: TON,
  ...more,
});
const create = (body: object, prefix = '/exchange', of = server) =>
  of.post(`${prefix}/transaction/create`, body);

describe.each(['/exchange', '/changelly'])('%s', prefix => {
  test('an order is created, and read in detail and in the list, as the app reads them', async () => {
    const body = order({ isTestnet: false, tonhubID: 'some' });
    const { status, body: created, headers } = await create(body, prefix);
    expect(status).toBe(200);
    expect(Number(headers['x-ledger-position'])).toBeGreaterThan(0);
    expect(appCreated.parse(created)).toMatchObject({
      _id: created.id,
      fromCurrency: 'btc',
      toCurrency: 'ton',
      amountFrom: '0.01',
      amountExpectedFrom: '0.01',
      payoutAddress: TON,
      wallet: TON,
      indempotencyKey: body.idempotencyKey,
      requestParams: { from: 'btc', to: 'ton', amount: '0.01', address: TON },
    });
    expect(created).toMatchObject({ sandbox: true, network: 'bitcoin' });
    expect(Date.parse(created.expiresAt)).toBeGreaterThan(Date.now());

    const details = await server.post(`${prefix}/transaction/details`, { transactionId: created.id });
    expect(appDetails.parse(details.body).data).toMatchObject({
      id: created.id,
      payinAddress: created.payinAddress,
      amountExpectedTo: created.amountExpectedTo,
    });
    expect(details.body.data.sandbox).toBe(true);
    const list = await server.post(`${prefix}/transactions`, { wallet: { ton: BOUNCEABLE, solana: SOLANA } });
    expect(appList.parse(list.body).data[0]).toEqual(appDetails.parse(details.body).data);
  });

  test('a wallet of Solana receives what is of Solana', async () => {
    const { status, body } = await create(order({ toCurrency: 'sol', wallet: SOLANA }), prefix);
    expect([status, body.payoutAddress, body.wallet]).toEqual([200, SOLANA, SOLANA]);
    const { body: listed } = await server.post(`${prefix}/transactions`, {
      address: SOLANA,
      network: 'mainnet',
    });
    expect(listed.data[0].id).toBe(body.id);
  });
});

test('one key of a wallet is one order, however often and concurrently it is asked for', async () => {
  const body = order();
  const before = server.double.orders().length;
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      create({ ...body, wallet: i % 2 ? TON : BOUNCEABLE, amount: i % 3 ? '0.01' : '0.0100' }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  expect(new Set(answers.map(({ body: { id, payinAddress } }) => `${id} ${payinAddress}`)).size).toBe(1);
  expect(server.double.orders().length).toBe(before + 1);

  for (const other of [{ amount: '0.02' }, { fromCurrency: 'eth', network: 'ethereum', amount: '1' }]) {
    const { status, body: problem } = await create({ ...body, ...other });
    expect([status, problem]).toMatchObject([409, { code: 'exchange_key_reused', ok: false }]);
  }
  expect(server.double.orders().length).toBe(before + 1);
  const { body: another } = await create({ ...body, wallet: OTHER });
  expect(another.id).not.toBe(answers[0]!.body.id);
});

test.each([
  ['0.0001', 'minimal'],
  ['9', 'maximal'],
])('an amount of %s is refused with the %s one, as the app reads it', async (amount, word) => {
  const body = order({ amount });
  for (const attempt of [1, 2]) {
    const { status, body: problem } = await create(body);
    expect([attempt, status, problem.code]).toEqual([attempt, 400, 'exchange_limit']);
    expect(appFailure.parse(problem).message).toContain(word);
    expect(problem).toMatchObject({
      errors: [{ pointer: '/body/amount' }],
      limits: { min: { from: expect.any(String) as string }, max: { from: expect.any(String) as string } },
    });
  }
});

test.each([
  [{ fromCurrency: 'nocoin' }, '/body/fromCurrency'],
  [{ fromCurrency: 'xmr', network: 'monero' }, '/body/fromCurrency'],
  [{ fromCurrency: { $ne: null } }, '/body/fromCurrency'],
  [{ toCurrency: 'btc' }, '/body/toCurrency'],
  [{ network: 'ethereum' }, '/body/network'],
  [{ network: undefined }, '/body/network'],
  [{ amount: '0' }, '/body/amount'],
  [{ amount: '-1' }, '/body/amount'],
  [{ amount: 1 }, '/body/amount'],
  [{ amount: '1e3' }, '/body/amount'],
  [{ amount: '0.000000001' }, '/body/amount'],
  [{ amount: '9'.repeat(30) }, '/body/amount'],
  [{ idempotencyKey: '' }, '/body/idempotencyKey'],
  [{ idempotencyKey: 'x'.repeat(129) }, '/body/idempotencyKey'],
  [{ idempotencyKey: 'a b' }, '/body/idempotencyKey'],
  [{ wallet: SOLANA }, '/body/wallet'],
  [{ toCurrency: 'usdcsol' }, '/body/wallet'],
  [{ wallet: 'me' }, '/body/wallet'],
  [{ wallet: TESTNET }, '/body/wallet'],
  [{ isTestnet: true }, '/body/isTestnet'],
])('%j is refused', async (wrong, pointer) => {
  const before = server.double.orders().length;
  const { status, body } = await create(order(wrong));
  const { errors } = body as { errors?: { pointer: string }[] };
  expect([status, errors?.map(each => each.pointer)]).toEqual([400, [pointer]]);
  expect(server.double.orders().length).toBe(before);
});

test('during an outage of the partner nothing is created nor estimated, and existing orders are read', async () => {
  const outage = await exchangeServer({ waitMs: 200 });
  try {
    const placed = order();
    const { body: existing } = await until(
      () => outage.post('/exchange/transaction/create', placed),
      ({ status }) => status === 200,
    );
    outage.double.failNext('http-502', { times: 1_000 });
    const body = order();
    const refused = await outage.post('/exchange/transaction/create', body);
    expect([refused.status, refused.body.code]).toEqual([503, 'exchange_order_pending']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const estimate = { fromCurrency: 'btc', toCurrency: 'ton', amount: '0.02' };
    const estimated = await outage.post('/changelly/estimate', estimate);
    expect([estimated.status, estimated.body.code]).toEqual([503, 'exchange_unavailable']);
    expect(Number(estimated.headers['retry-after'])).toBeGreaterThan(0);
    const details = await outage.post('/exchange/transaction/details', { transactionId: existing.id });
    expect([details.status, details.body.data.id]).toEqual([200, existing.id]);
    const list = await outage.post('/exchange/transactions', { address: TON, network: 'mainnet' });
    expect((list.body.data as { id: string }[]).map(({ id }) => id)).toEqual([existing.id]);
    expect(outage.double.orders()).toHaveLength(1);
  } finally {
    await outage.close();
  }
});

test('an order is the same when it is asked for again before documents have it, whatever has changed since', async () => {
  const behind = await exchangeServer({ isProjecting: false, foldWaitMs: 0 });
  try {
    const body = order();
    const { status, body: created } = await create(body, '/exchange', behind);
    expect(status).toBe(200);
    behind.pairs.set('ton', []);
    expect((await create(order(), '/exchange', behind)).status).toBe(400);
    const again = await create(body, '/exchange', behind);
    expect([again.status, again.body]).toEqual([200, created]);
    expect(behind.double.orders()).toHaveLength(1);
  } finally {
    await behind.close();
  }
});

test('new orders and refreshes of an address are limited, each for itself', async () => {
  const counted: string[] = [];
  const limits: RateLimits = {
    async consume(policy) {
      counted.push(policy);
      const exceeded = policy === 'exchange_orders';
      return { quota: 20, window: 60, remaining: 0, resetsIn: 30, exceeded };
    },
  };
  const limited = await exchangeServer({ limits });
  try {
    const { status, body } = await limited.post('/exchange/transaction/create', order());
    expect([status, body.code]).toEqual([429, 'rate_limited']);
    const resolved = await limited.post('/changelly/transaction/resolve', { transactionId: 'x' });
    expect(resolved.status).toBe(404);
    expect(counted).toEqual(['exchange_orders', 'exchange_refreshes']);
    expect(limited.double.orders()).toEqual([]);
  } finally {
    await limited.close();
  }
});
