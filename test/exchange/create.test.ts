import request from 'supertest';
import { EXCHANGE_ORDERS, EXCHANGE_REFRESHES } from '../../contracts/http/exchange/orders';
import type { ExchangePartner } from '../../contracts/ports/exchange-partner';
import { quotaSetting } from '../../infra/config/settings';
import { exchangeWith } from '../../infra/program/features/exchange';
import { exchangePlacing } from '../../infra/program/features/exchange/placing';
import type { ReadWait } from '../../infra/program/requests/read-wait';
import { startTestProgram } from '../program';
import { until } from '../until';
import { openPartner } from './partner';
import { appCreated, appDetails, appFailure, appList } from './wallet-app';

const TON = 'UQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB5-k';
const BOUNCEABLE = 'EQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB8Jh';
const OTHER = 'UQAICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICIdh';
const TESTNET = 'kQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB3nr';
const SOLANA = 'So11111111111111111111111111111111111111112';

interface ServerOptions {
  readonly readWait?: Partial<ReadWait>;
  readonly isProjecting?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
}

/** The program with exchange, which places orders with a double of the partner. */
async function exchangeServer({ readWait = {}, isProjecting = true, settings = {} }: ServerOptions = {}) {
  const opened = await openPartner({ now: Date.now });
  const partner: ExchangePartner = { ...opened.partner };
  let later = 0;
  const shared = {
    settings: { MAX_UNPAID_EXCHANGE_ORDERS: '0', ...settings },
    clients: { exchange: async () => partner },
    clock: () => new Date(Date.now() + later),
  };
  const withPartner = exchangeWith({ open: async () => partner });
  const program = await startTestProgram({
    ...shared,
    readWait,
    features: [withPartner, exchangePlacing],
    ...(!isProjecting && { roles: ['api', 'jobs'] }),
  });
  const ofObservations = isProjecting
    ? null
    : await startTestProgram({
        ...shared,
        folder: program.folder,
        roles: ['projections'],
        features: [{ ...withPartner, projections: [] }, exchangePlacing],
      });
  const listed = async (to: string): Promise<unknown[]> => {
    const { body } = await request(program.app).get(`/exchange/currencies?currencyTo=${to}`);
    return body as unknown[];
  };
  for (const to of ['ton', 'sol']) await until(async () => (await listed(to)).length > 0);
  return {
    double: opened.double,
    /** Nothing can be exchanged for TON any more, as the program has noticed. */
    async withdrawTon() {
      partner.sourcesOf = async () => [];
      later += 24 * 3_600_000;
      await until(async () => (await listed('ton')).length === 0);
    },
    async post(path: string, body: object) {
      const { status, body: answer, headers } = await request(program.app).post(path).send(body);
      // eslint-disable-next-line @typescript-eslint/no-explicit-any
      return { status, body: answer as any, headers: headers as Record<string, string> };
    },
    async close() {
      await ofObservations?.stop();
      await program.stop();
      await opened.close();
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
  const outage = await exchangeServer({ settings: { EXCHANGE_ORDER_WAIT_MS: '200' } });
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
  const behind = await exchangeServer({ isProjecting: false, readWait: { waitMs: 50 } });
  try {
    const body = order();
    const { status, body: created } = await create(body, '/exchange', behind);
    expect(status).toBe(200);
    await behind.withdrawTon();
    expect((await create(order(), '/exchange', behind)).status).toBe(400);
    const again = await create(body, '/exchange', behind);
    expect([again.status, again.body]).toEqual([200, created]);
    expect(behind.double.orders()).toHaveLength(1);
  } finally {
    await behind.close();
  }
});

test('new orders and refreshes of an address are limited, each for itself', async () => {
  const limited = await exchangeServer({
    settings: { [quotaSetting(EXCHANGE_ORDERS)]: '1', [quotaSetting(EXCHANGE_REFRESHES)]: '1' },
  });
  const resolve = () => limited.post('/changelly/transaction/resolve', { transactionId: 'x' });
  try {
    expect((await limited.post('/exchange/transaction/create', order())).status).toBe(200);
    const { status, body } = await limited.post('/exchange/transaction/create', order());
    expect([status, body.code]).toEqual([429, 'rate_limited']);
    expect((await resolve()).status).toBe(404);
    expect((await resolve()).status).toBe(429);
    expect(limited.double.orders()).toHaveLength(1);
  } finally {
    await limited.close();
  }
});
