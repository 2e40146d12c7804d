import { pino } from 'pino';
import { exchangeOrderStream } from '../../../contracts/events/exchange-order';
import { PartnerUnavailable, type PartnerOrder } from '../../../contracts/ports/exchange-partner';
import { InMemoryEventStore } from '../../../test/doubles/event-store';
import { at, metadata, NONE_UNPAID, ORDER_ID, partnerOrder, REQUEST } from '../../../test/exchange/order';
import { until } from '../../../test/until';
import { createHandle } from '../../commands/handle';
import { exchangeOrderKind } from '../order/decider';
import { loadOrder } from '../order/load-order';
import { createOrderRefresh, type RefreshOrder } from './refresh';

let now: number;
let store: InMemoryEventStore;
let calls: { readonly ids: readonly string[]; readonly priority: string }[];
let answer: (ids: readonly string[]) => Promise<readonly PartnerOrder[]>;
let lines: string[];
let refresh: RefreshOrder;
let refreshWithin: (waitMs: number) => RefreshOrder;
const shown = (order: Partial<PartnerOrder>) => async () => [partnerOrder(order)];

beforeEach(async () => {
  now = Date.parse(at(10));
  store = new InMemoryEventStore();
  calls = [];
  lines = [];
  answer = shown({});
  const handle = createHandle({ store });
  refreshWithin = waitMs =>
    createOrderRefresh({
      store,
      handle,
      partner: async () => ({
        orders: (ids, { priority }) => {
          calls.push({ ids, priority });
          return answer(ids);
        },
      }),
      clock: () => new Date(now),
      logger: pino({ level: 'info' }, { write: line => void lines.push(line) }),
      signal: new AbortController().signal,
      waitMs,
    });
  refresh = refreshWithin(60_000);
  const commands = [
    { type: 'request', request: REQUEST, ...NONE_UNPAID, metadata: metadata(0) },
    { type: 'startCall', metadata: metadata(0) },
    {
      type: 'recordCreated',
      order: partnerOrder({ status: 'new' }),
      expiresAt: at(3_600),
      metadata: metadata(1),
    },
  ] as const;
  for (const command of commands) await handle(exchangeOrderKind, exchangeOrderStream(ORDER_ID), command);
});

const status = async () => (await loadOrder(store, ORDER_ID))?.status;

it('an order is read once for all who ask within five seconds', async () => {
  answer = shown({ status: 'confirming' });
  const positions = await Promise.all(Array.from({ length: 50 }, () => refresh(ORDER_ID)));
  expect(new Set(positions)).toEqual(new Set([await store.head()]));
  now += 4_999;
  await refresh(ORDER_ID);
  expect(calls).toEqual([{ ids: ['p1'], priority: 'refresh' }]);
  now += 2;
  answer = shown({ status: 'exchanging' });
  await refresh(ORDER_ID);
  expect(calls).toHaveLength(2);
  expect(await status()).toBe('exchanging');
});

it('an order is read again after five seconds, also when the clock was set back', async () => {
  await refresh(ORDER_ID);
  now -= 3_600_000;
  await refresh(ORDER_ID);
  now += 5_001;
  await refresh(ORDER_ID);
  expect(calls).toHaveLength(2);
});

it('nobody waits long for the partner, whose late answer still counts', async () => {
  let late: (orders: readonly PartnerOrder[]) => void = () => undefined;
  answer = () => new Promise(resolve => (late = resolve));
  expect(await refreshWithin(200)(ORDER_ID)).toBeNull();
  late([partnerOrder({ status: 'sending' })]);
  await until(async () => (await status()) === 'sending');
});

it.each(['confirming', 'hold'])(
  'an answer of %s that a newer one has overtaken changes nothing',
  async before => {
    let late: (orders: readonly PartnerOrder[]) => void = () => undefined;
    answer = () => new Promise(resolve => (late = resolve));
    const refreshing = refresh(ORDER_ID);
    await until(() => calls.length > 0);
    now += 1_000;
    for (const seen of [before, 'exchanging'])
      await createHandle({ store })(exchangeOrderKind, exchangeOrderStream(ORDER_ID), {
        type: 'observe',
        order: partnerOrder({ status: seen }),
        metadata: metadata(11),
      });
    const head = await store.head();
    late([partnerOrder({ status: before })]);
    await refreshing;
    expect(await status()).toBe('exchanging');
    expect(await store.head()).toBe(head);
  },
);

it('an outage of the partner changes nothing', async () => {
  answer = async () => {
    throw new PartnerUnavailable('down');
  };
  expect(await refresh(ORDER_ID)).toBeNull();
  expect(await status()).toBe('new');
  // Callers refresh as often as they like.
  expect(lines).toEqual([]);
});

it('the partner is not asked for what it does not have, or has ended', async () => {
  expect(await refresh('unknown')).toBeNull();
  answer = shown({ status: 'finished' });
  await refresh(ORDER_ID);
  now += 10_000;
  expect(await refresh(ORDER_ID)).toBeNull();
  expect(calls).toHaveLength(1);
});
