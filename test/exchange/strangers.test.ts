import request from 'supertest';
import { EXCHANGE_ORDERS } from '../../contracts/http/exchange/orders';
import { exchangeWith } from '../../infra/program/features/exchange';
import { exchangePlacing } from '../../infra/program/features/exchange/placing';
import { startTestProgram, type TestProgram } from '../program';
import { until } from '../until';
import { openPartner, type TestPartner } from './partner';

/** Strangers who stay within the limits of their addresses, beside somebody who wants to exchange. */

const VICTIM = 'UQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB5-k';
const STRANGER = 'UQAICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICIdh';
const HOME = '203.0.113.7';
const STRANGERS = ['198.51.100.1', '198.51.100.2', '198.51.100.3'];
/** Orders within the limit of an address. */
const ORDERS = EXCHANGE_ORDERS.perMinute - 1;

let opened: TestPartner;
let program: TestProgram;

async function start(
  requestsPerSecond: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  opened = await openPartner({ now: Date.now }, { requestsPerSecond, timeoutMs: 60_000 });
  const { partner } = opened;
  program = await startTestProgram({
    features: [exchangeWith({ open: async () => partner }), exchangePlacing],
    settings: {
      TRUSTED_PROXIES: '1',
      RATE_LIMIT_EXCHANGE_ORDERS: String(EXCHANGE_ORDERS.perMinute),
      ...settings,
    },
    clients: { exchange: async () => partner },
  });
  await request(program.app).get('/exchange/currencies?currencyTo=ton').expect(200);
}
afterEach(async () => {
  await program?.stop();
  await opened?.close();
});

async function post(from: string, path: string, body: object) {
  const answer = await request(program.app).post(path).set('X-Forwarded-For', from).send(body);
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  return { status: answer.status, body: answer.body as any };
}

let keys = 0;
const order = (more: object = {}) => ({
  fromCurrency: 'btc',
  toCurrency: 'ton',
  network: 'bitcoin',
  amount: '0.01',
  idempotencyKey: String(++keys),
  wallet: VICTIM,
  ...more,
});
const create = (from: string, more: object = {}) => post(from, '/changelly/transaction/create', order(more));
const estimate = (from: string, amount: string) =>
  post(from, '/changelly/estimate', { fromCurrency: 'btc', toCurrency: 'ton', amount });

const callsOf = (method: 'createTransaction' | 'getExchangeAmount'): number =>
  opened.double.calls().get(method) ?? 0;

test('orders of strangers keep nobody from an estimate or an order', async () => {
  await start(8);
  const attack = STRANGERS.flatMap(from =>
    Array.from({ length: ORDERS }, () => create(from, { wallet: STRANGER })),
  );
  await until(() => callsOf('createTransaction') > 4);
  const [ordered, ...estimated] = await Promise.all([
    create(HOME),
    estimate(HOME, '0.011'),
    estimate(HOME, '0.012'),
    estimate(HOME, '0.013'),
  ]);
  expect([ordered, ...estimated].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  await Promise.all(attack);
});

const listed = async (from: string): Promise<string[]> => {
  const { body } = await post(from, '/changelly/transactions', { wallet: { ton: VICTIM } });
  return (body.data as { id: string }[]).map(({ id }) => id);
};

test('unpaid orders of strangers for a wallet keep it from no order of its own, and push none out of its list', async () => {
  await start(1_000);
  const before = await create(HOME);
  const fromElsewhere = await create('203.0.113.200');
  for (let n = 0; n < ORDERS; n++)
    expect((await Promise.all(STRANGERS.map(from => create(from)))).map(({ status }) => status)).toEqual([
      200, 200, 200,
    ]);
  const ordered = await create(HOME, { amount: '0.02' });
  expect([before, fromElsewhere, ordered].map(({ status }) => status)).toEqual([200, 200, 200]);

  const own = [before, fromElsewhere, ordered].map(({ body }) => body.id as string);
  // A phone changes networks: from a new one the wallet finds its orders, too.
  for (const network of [HOME, '203.0.113.99'])
    expect(await listed(network)).toEqual(expect.arrayContaining(own));
});

test('an idempotency key that a stranger has used for a wallet is still that of its owner, from any network', async () => {
  await start(1_000);
  const key = { idempotencyKey: '482915371' };
  const taken = await create(STRANGERS[0]!, { ...key, amount: '0.05' });
  const own = await create(HOME, key);
  expect([taken, own].map(({ status }) => status)).toEqual([200, 200]);
  expect(own.body).toMatchObject({ amountFrom: '0.01', indempotencyKey: key.idempotencyKey });

  const again = await Promise.all([HOME, '203.0.113.99', STRANGERS[1]!].map(from => create(from, key)));
  expect(again.map(({ body }) => body.id as string)).toEqual(
    [own, own, own].map(({ body }) => body.id as string),
  );
  expect((await create(STRANGERS[0]!, { ...key, amount: '0.05' })).body.id).toBe(taken.body.id);
  expect((await create(STRANGERS[0]!, { ...key, amount: '0.06' })).body.code).toBe('exchange_key_reused');
  expect(opened.double.orders()).toHaveLength(2);
});

test('a key that a stranger uses at the same moment is that of the owner, too', async () => {
  await start(1_000);
  const key = { idempotencyKey: '482915371' };
  const answers = await Promise.all([
    create(STRANGERS[0]!, { ...key, amount: '0.05' }),
    create(HOME, key),
    create(STRANGERS[1]!, { ...key, amount: '0.06' }),
  ]);
  expect(answers.map(({ status, body }) => [status, body.amountFrom as string])).toEqual([
    [200, '0.05'],
    [200, '0.01'],
    [200, '0.06'],
  ]);
});

test('a stranger who names a wallet does not hide its order, which its user still closes', async () => {
  await start(1_000);
  const order = await create(HOME);
  const id = order.body.id as string;
  const close = (from: string) =>
    post(from, '/changelly/transaction/resolve', { transactionId: id, wallet: VICTIM });
  for (const from of STRANGERS) {
    const { status, body } = await close(from);
    expect([status, body.ok]).toEqual([200, true]);
    expect(body.status).not.toBe('resolved');
  }
  expect(await listed(HOME)).toContain(id);
  expect((await close(HOME)).body).toMatchObject({ ok: true, status: 'resolved' });
  expect(await listed(HOME)).not.toContain(id);
});

test('what strangers order and never pay has a bound, in which there is room for others', async () => {
  const MAX = 20;
  await start(1_000, { MAX_UNPAID_EXCHANGE_ORDERS: String(MAX) });
  const codes = new Set<unknown>();
  for (let n = 0; n < 8; n++)
    for (const { body } of await Promise.all(STRANGERS.map(from => create(from, { wallet: STRANGER }))))
      codes.add(body.code);
  expect(codes).toContain('too_many_exchange_orders');
  expect((await create(HOME)).status).toBe(200);
  expect(opened.double.orders().length).toBeLessThan(MAX);
});
