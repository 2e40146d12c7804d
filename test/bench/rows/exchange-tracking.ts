import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_ORDERS_READ, type ExchangePartner } from '../../../contracts/ports/exchange-partner';
import { createRequestBudget } from '../../../infra/engines/request-budget/budget';
import { openSqliteEventStore } from '../../../infra/engines/event-store/sqlite/sqlite-event-store';
import { openSqliteJobs } from '../../../infra/engines/jobs/sqlite/sqlite-jobs';
import { createLogger } from '../../../infra/config/logger';
import { trackingJob } from '../../../services/exchange/tracking/jobs';
import { nextSlot, PACES, type Pace, type TrackedOrder } from '../../../services/exchange/tracking/schedule';
import { workOrderTracking } from '../../../services/exchange/tracking/worker';
import { createHandle } from '../../../services/commands/handle';
import { figure, once, quantile, type Figure } from '../figure';
import { fillExchangeOrders, unchangedOrder } from '../fill/exchange-orders';
import type { Row, Setting } from '../row';

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000] as const;
const START = Date.parse('2026-03-01T12:00:00.000Z');
const REQUESTS_PER_SECOND = 8;
const MIB = 2 ** 20;
const WALLET = { chain: 'ton', network: 'mainnet', address: `0:${'ab'.repeat(32)}` } as const;

interface Share {
  readonly count: number;
  readonly status: TrackedOrder['status'];
  /** Ages are spread between these. */
  readonly age: readonly [from: number, to: number];
  /** After the order was created. */
  readonly expiresIn: number;
}

/** As an instance might have them that keeps 100,000 open: nearly all were never paid. They need 73 reads a second of 80. */
const LIKELY: readonly Share[] = [
  { count: 200, status: 'waiting', age: [0, 8 * MINUTE], expiresIn: 36 * HOUR },
  { count: 100, status: 'exchanging', age: [5 * MINUTE, HOUR], expiresIn: 36 * HOUR },
  { count: 600, status: 'waiting', age: [10 * MINUTE, 35 * HOUR], expiresIn: 36 * HOUR },
  { count: 2_000, status: 'waiting', age: [36 * HOUR, 59 * HOUR], expiresIn: 36 * HOUR },
  { count: 500, status: 'hold', age: [0, 6 * DAY], expiresIn: 36 * HOUR },
  { count: 66_600, status: 'overdue', age: [0, 6.9 * DAY], expiresIn: 0 },
  { count: 30_000, status: 'failed', age: [0, 6.5 * DAY], expiresIn: 0 },
];

/** All wait for their payment: they would need 1,700 reads a second. */
const TOO_MANY: readonly Share[] = [
  { count: 300, status: 'waiting', age: [0, 8 * MINUTE], expiresIn: 36 * HOUR },
  { count: 99_700, status: 'waiting', age: [10 * MINUTE, 35 * HOUR], expiresIn: 36 * HOUR },
];

function ordersOf(shares: readonly Share[], scale: number): TrackedOrder[] {
  return shares.flatMap(({ count, status, age: [from, to], expiresIn }, share) => {
    const orders = Math.ceil(count * scale);
    return Array.from({ length: orders }, (_, n) => {
      const since = START - Math.round(from + ((to - from) * n) / orders);
      return { orderId: `order-${share}-${n}`, status, since, expiresAt: since + expiresIn };
    });
  });
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** MiB in use. */
function memory(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / MIB;
}

interface Tracked {
  /** Seconds, of each poll. */
  readonly lags: Readonly<Record<Pace, readonly number[]>>;
  /** Slots that were due until shortly before the end, and those of them that were read. */
  readonly due: number;
  readonly read: number;
  /** Orders read twice in one slot. */
  readonly doubled: number;
  /** By the clock of the row. */
  readonly requestsPerSecond: number;
  readonly ordersPerRequest: number;
  /** MiB in use after a quarter of the time, and at the end. */
  readonly memory: readonly [number, number];
  /** Microseconds a poll. */
  readonly cpu: number;
}

/** Tracks orders for some minutes of the row's clock, with the store and the jobs on disk. */
async function track(
  { folder, say }: Setting,
  name: string,
  speed: number,
  orders: readonly TrackedOrder[],
  ms: number,
): Promise<Tracked> {
  const store = openSqliteEventStore({ path: join(folder, name) });
  say(`${name}: ${orders.length} orders`);
  await fillExchangeOrders(store, orders, WALLET);
  let began: number | null = null;
  const now = (): number => Math.round(began === null ? START : START + (performance.now() - began) * speed);
  const jobs = openSqliteJobs({ path: join(folder, `${name}-jobs`), clock: now });
  const slots = new Map<string, number[]>();
  const end = START + ms;
  /** What is due in the last seconds may be read after the end. */
  const lastDue = end - 10 * SECOND;
  await Promise.all(
    orders.map(order => {
      const slot = nextSlot(order, START)!;
      const due: number[] = [];
      for (let each: typeof slot | null = slot; each && each.at <= lastDue; each = nextSlot(order, each.at))
        due.push(each.at);
      if (due.length > 0) slots.set(order.orderId, due);
      return jobs.add(trackingJob(order, slot, START));
    }),
  );

  const status = new Map(orders.map(order => [order.orderId, order.status]));
  const budget = createRequestBudget({ perSecond: REQUESTS_PER_SECOND * speed });
  const readAt = new Map<string, number[]>();
  let [requests, read] = [0, 0];
  const partner: Pick<ExchangePartner, 'orders'> = {
    async orders(ids, call) {
      await budget.take(call);
      if (ids.length > MAX_ORDERS_READ) throw new Error('too many ids');
      requests += 1;
      read += ids.length;
      for (const id of ids) {
        const times = readAt.get(id);
        if (times) times.push(now());
        else readAt.set(id, [now()]);
      }
      return ids.map(id => unchangedOrder(id, status.get(id)!));
    },
  };

  say(`${name}: ${ms / SECOND} s by its clock, ${ms / SECOND / speed} s by ours`);
  const lags: Record<Pace, number[]> = { fast: [], steady: [], slow: [] };
  const stop = new AbortController();
  began = performance.now();
  const cpu = process.cpuUsage();
  const working = workOrderTracking(
    {
      store,
      handle: createHandle({ store }),
      jobs,
      partner: async () => partner,
      clock: () => new Date(now()),
      logger: createLogger('warn'),
      onPoll: ({ pace, lagMs }) => lags[pace].push(lagMs / SECOND),
      maxWaitMs: 500 / speed,
    },
    stop.signal,
  );
  let before: number | null = null;
  for (let tick = 0; now() < end; tick++) {
    // Idle workers sleep by the clock of the machine.
    await jobs.add({ queue: 'clock', id: String(tick % 2), data: {} });
    if (now() > START + ms / 4) before ??= memory();
    await sleep(50);
  }
  const after = memory();
  const used = process.cpuUsage(cpu);
  const seconds = (now() - START) / SECOND;
  const measured = { requestsPerSecond: requests / seconds, ordersPerRequest: read / requests };
  stop.abort();
  await working;
  await jobs.close();
  await store.close();

  let [due, kept, doubled] = [0, 0, 0];
  for (const [id, times] of slots) {
    const reads = readAt.get(id) ?? [];
    due += times.length;
    for (const [n, at] of times.entries()) {
      const within = reads.filter(time => time >= at && time < (times[n + 1] ?? Infinity)).length;
      if (within > 0) kept += 1;
      if (within > 1 && n + 1 < times.length) doubled += 1;
    }
  }
  return {
    lags,
    due,
    read: kept,
    doubled,
    ...measured,
    memory: [before!, after],
    cpu: (used.user + used.system) / read,
  };
}

/**
 * 100,000 open orders at 8 requests a second of ten orders each: a number that the budget is enough for, and one that would need
 * twenty times as much. The clock runs twice as fast as that of the machine, and so does the budget; the store, the jobs and the
 * schedule are the real ones, the partner answers at once and without news.
 */
export const row: Row = async setting => {
  // The clock of the row is so much faster than that of the machine; so is the budget of the partner.
  const speed = setting.sized({ full: 2, quick: 2, smallest: 10 });
  const [scale, ms] = setting.sized({
    full: [1, 3 * MINUTE],
    quick: [0.1, MINUTE],
    smallest: [0.01, 30 * SECOND],
  });
  const likely = await track(setting, 'likely', speed, ordersOf(LIKELY, scale), ms);
  const tooMany = await track(setting, 'too many', speed, ordersOf(TOO_MANY, scale), ms);
  for (const { doubled } of [likely, tooMany])
    if (doubled > 0) throw new Error(`${doubled} slots were read twice`);
  const what = (text: string, unit: string, note?: string) => ({
    what: `100,000 exchange orders${text}`,
    unit,
    ...(note !== undefined && { note }),
  });
  const lags = PACES.map(pace => `${pace} ${quantile(likely.lags[pace], 0.99).toFixed(1)}`).join(', ');
  const figures: Figure[] = [
    figure(
      what(
        ': slots read, to those due',
        'slots',
        `p99 of the lag: ${lags} s; CPU ${Math.round(likely.cpu)} us a poll`,
      ),
      once(likely.read, likely.due),
      { of: 'ratio', atLeast: 0.999 },
    ),
    figure(
      what(
        ': requests, to the budget',
        'requests/s',
        `${likely.ordersPerRequest.toFixed(1)} orders a request`,
      ),
      once(likely.requestsPerSecond, REQUESTS_PER_SECOND),
      { of: 'ratio', atMost: 1 },
    ),
    figure(what(': memory at the end, to before', 'MiB'), once(likely.memory[1], likely.memory[0]), {
      of: 'ratio',
      atMost: 1.1,
    }),
    figure(
      what(
        ', 20 times the budget: orders read, to the budget',
        'orders/s',
        `CPU ${Math.round(tooMany.cpu)} us a poll`,
      ),
      once(tooMany.requestsPerSecond * tooMany.ordersPerRequest, REQUESTS_PER_SECOND * MAX_ORDERS_READ),
      { of: 'ratio', atLeast: 0.95 },
    ),
    figure(
      what(', 20 times the budget: p99 of the lag of new ones, to their interval', 's'),
      once(quantile(tooMany.lags.fast, 0.99), 15),
      { of: 'ratio', atMost: 0.2 },
    ),
    figure(
      what(', 20 times the budget: memory at the end, to before', 'MiB'),
      once(tooMany.memory[1], tooMany.memory[0]),
      {
        of: 'ratio',
        atMost: 1.1,
      },
    ),
  ];
  return figures;
};
