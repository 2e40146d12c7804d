import { pino } from 'pino';
import { EngineAccessDenied } from '../../../contracts/engine/engine-access-denied';
import type { Problem } from '../../../contracts/problem/problem';
import { exchangeOrderId } from '../../../contracts/events/exchange-order';
import { NONE_UNPAID, REQUEST } from '../../../test/exchange/order';
import { Placing } from '../../../test/exchange/placing';
import { createHandle } from '../../commands/handle';
import { createWaitLimit } from '../../reads/read-until';
import { createFollowOrder } from './changes';
import { createExchangeOrder, type CreateOrderDeps } from './create';
import { findRequestedOrder, type NewExchangeOrder } from './new-order';
import { MAX_UNPAID_FOR_WALLET } from './unpaid-orders';

const { wallet, fromCurrency, toCurrency, network, amountFrom, payoutAddress, refundAddress } = REQUEST;
const asked: NewExchangeOrder = {
  wallet,
  source: 'home',
  idempotencyKey: '77',
  fromCurrency,
  toCurrency,
  network,
  amountFrom,
  payoutAddress,
  refundAddress,
};
const ORDER_ID = exchangeOrderId(wallet, '77');
const logger = pino({ level: 'silent' });

let placing: Placing;
let deps: CreateOrderDeps;
let stop: AbortController;
beforeEach(() => {
  placing = new Placing();
  stop = new AbortController();
  deps = {
    store: placing.store,
    handle: createHandle(placing),
    follow: createFollowOrder({ store: placing.store, logger }, stop.signal),
    unpaidOrders: async () => NONE_UNPAID.unpaid,
    maxUnpaid: 0,
    partner: placing.partner,
    clock: placing.clock,
    waitMs: 120_000,
    waitLimit: createWaitLimit(0),
  };
});
afterEach(() => stop.abort());

const codeOf = (creating: Promise<unknown>): Promise<unknown> =>
  creating.then(
    () => null,
    (error: unknown) => (error as Problem).code,
  );

/** Waits until the order is requested, as a reaction does. */
async function requested(orderId = ORDER_ID): Promise<void> {
  while (placing.types(orderId).length === 0) await new Promise(setImmediate);
}

it('answers once the order is placed', async () => {
  const creating = createExchangeOrder(deps, asked);
  await requested();
  await placing.run(ORDER_ID);
  const { order, position } = await creating;
  expect(order).toMatchObject({
    orderId: ORDER_ID,
    status: 'new',
    placed: { partnerOrderId: 'p1' },
    sandbox: true,
  });
  expect(position).toBe(await placing.store.head());
});

it('takes two calls of the event store: one that looks for it, and one that requests it', async () => {
  const brief = { ...deps, waitMs: 0 };
  const found = await findRequestedOrder(deps.store, asked);
  const [read, append] = [jest.spyOn(deps.store, 'readStream'), jest.spyOn(placing.store, 'append')];
  expect(await codeOf(createExchangeOrder(brief, asked, found))).toBe('exchange_order_pending');
  expect([read.mock.calls.length, append.mock.calls.length]).toEqual([0, 1]);
  // Somebody was faster.
  expect(await codeOf(createExchangeOrder(brief, asked, found))).toBe('exchange_order_pending');
  expect(await codeOf(createExchangeOrder(brief, { ...asked, amountFrom: '0.2' }, found))).toBe(
    'exchange_key_reused',
  );
  expect(placing.types(ORDER_ID)).toEqual(['Requested']);
});

it('is the same order for the same wallet and key, however often and when it is asked for', async () => {
  const creating = Promise.all(Array.from({ length: 20 }, () => createExchangeOrder(deps, asked)));
  await requested();
  await placing.run(ORDER_ID);
  const orders = await creating;
  expect(await createExchangeOrder(deps, asked)).toEqual(orders[0]);
  expect(new Set(orders.map(({ order }) => order.placed!.partnerOrderId))).toEqual(new Set(['p1']));
  expect(placing.types(ORDER_ID)).toEqual(['Requested', 'PartnerCallStarted', 'Created']);
});

it('refuses another request with the same key, and is another order for another wallet', async () => {
  const brief = { ...deps, waitMs: 0 };
  expect(await codeOf(createExchangeOrder(brief, asked))).toBe('exchange_order_pending');
  for (const other of [
    { amountFrom: '0.2' },
    { toCurrency: 'sol' },
    { payoutAddress: 'elsewhere' },
    { refundAddress: 'elsewhere' },
  ])
    expect(await codeOf(createExchangeOrder(brief, { ...asked, ...other }))).toBe('exchange_key_reused');
  const another = { ...wallet, address: `0:${'cd'.repeat(32)}` };
  expect(await codeOf(createExchangeOrder(brief, { ...asked, wallet: another }))).toBe(
    'exchange_order_pending',
  );
  expect(placing.types(exchangeOrderId(another, '77'))).toEqual(['Requested']);
});

it('follows no order whose request has failed', async () => {
  const followed = new Set<object>();
  const failing: CreateOrderDeps = {
    ...deps,
    async follow(orderId) {
      const changes = await deps.follow(orderId);
      followed.add(changes);
      return { ...changes, stop: () => (followed.delete(changes), changes.stop()) };
    },
    unpaidOrders: () => Promise.reject(new Error('the documents do not answer')),
  };
  await expect(createExchangeOrder(failing, asked)).rejects.toThrow('do not answer');
  await deps.follow(ORDER_ID); // by then one of the request has begun, too
  expect(followed.size).toBe(0);
});

it('answers what was rejected, and what was abandoned', async () => {
  placing.partner.next.push('refuse');
  const creating = createExchangeOrder(deps, asked);
  await requested();
  await placing.run(ORDER_ID);
  expect((await creating).order.placing).toEqual({
    step: 'rejected',
    reason: 'amount_too_low',
    message: 'Minimal amount is 0.2 btc',
  });

  placing.partner.next.push('lose', 'lose');
  const second = createExchangeOrder(deps, { ...asked, idempotencyKey: '78' });
  const secondId = exchangeOrderId(wallet, '78');
  await requested(secondId);
  await placing.finish(secondId);
  expect((await second).order.placing).toEqual({ step: 'abandoned', reason: 'not_found' });
});

it('says that the same key is to be repeated while the partner does not answer', async () => {
  const error = await createExchangeOrder({ ...deps, waitMs: 1 }, asked).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'exchange_order_pending', headers: { 'Retry-After': '3' } });
  await placing.finish(ORDER_ID);
  expect((await createExchangeOrder(deps, asked)).order.placed).not.toBeNull();
});

it('waits for no order when too many requests wait, or when the program stops', async () => {
  const full = createWaitLimit(1);
  full.begin('another');
  expect(await codeOf(createExchangeOrder({ ...deps, waitLimit: full }, asked))).toBe(
    'exchange_order_pending',
  );
  const creating = codeOf(createExchangeOrder(deps, { ...asked, idempotencyKey: '79' }));
  await requested(exchangeOrderId(wallet, '79'));
  stop.abort();
  expect(await creating).toBe('exchange_order_pending');
});

it('follows orders again after the store has denied access to a program', async () => {
  jest.spyOn(placing.store, 'subscribe').mockImplementationOnce(() => {
    throw new EngineAccessDenied('event store', 'wrong password');
  });
  expect(await codeOf(createExchangeOrder({ ...deps, waitMs: 0 }, asked))).toBe('exchange_order_pending');
  const creating = createExchangeOrder(deps, asked);
  await placing.run(ORDER_ID);
  expect((await creating).order.placed).not.toBeNull();
});

it('a stranger waits for a quarter of the orders that may be waited for, and an honest request is answered', async () => {
  const shared = { ...deps, waitLimit: createWaitLimit(8) };
  const ask = (source: string, idempotencyKey: string) =>
    createExchangeOrder(shared, { ...asked, source, idempotencyKey });
  const attack = Array.from({ length: 12 }, (_, n) => codeOf(ask('stranger', `1${n}`)));
  let refused = 0;
  for (const each of attack) void each.then(code => (refused += code === 'exchange_order_pending' ? 1 : 0));
  while (refused < 10) await new Promise(setImmediate);
  const honest = ask('home', '90');
  await requested(exchangeOrderId(wallet, '90'));
  await placing.run(exchangeOrderId(wallet, '90'));
  expect((await honest).order.placed).not.toBeNull();
  stop.abort();
  await Promise.all(attack);
  expect(refused).toBe(12);
});

it('refuses a wallet that has too many open orders, but not what it has asked for before', async () => {
  await codeOf(createExchangeOrder({ ...deps, waitMs: 0 }, asked));
  await placing.finish(ORDER_ID);
  const full = {
    ...deps,
    unpaidOrders: async () => ({ ...NONE_UNPAID.unpaid, forWallet: MAX_UNPAID_FOR_WALLET }),
  };
  expect((await createExchangeOrder(full, asked)).order.placed).not.toBeNull();
  expect(await codeOf(createExchangeOrder(full, { ...asked, idempotencyKey: '80' }))).toBe(
    'too_many_exchange_orders',
  );
});
