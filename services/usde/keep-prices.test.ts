import { pino } from 'pino';
import type { SharePrice, SharePriceDay, SharePriceObserved } from '../../contracts/chain/ton-usde';
import type { Observed } from '../../contracts/observation/reader';
import { keepSharePrices, type KeepPricesDeps } from './keep-prices';

const DAY = 86_400;
const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 0, 1);

const priceOf = (day: number): SharePrice => ({ price: '1052300000', seqno: day, time: day * DAY + 60 });
const observed = (data: SharePriceObserved, ageMs = 0): Observed<SharePriceObserved> => ({
  height: 7,
  at: new Date(NOW - ageMs).toISOString(),
  data,
});

/**
 * Runs the worker over doubles, until the last look.
 * @param looks the last price at each look
 */
async function run(...looks: readonly (Observed<SharePriceObserved> | null)[]) {
  const stop = new AbortController();
  const days = new Set<number>();
  const asked: string[] = [];
  const waits: number[] = [];
  let look = 0;
  const deps = {
    views: {
      subscribe: () => () => undefined,
      async waitForChange(_sources: unknown, timeoutMs: number) {
        waits.push(timeoutMs);
        if (++look >= looks.length) stop.abort();
      },
    },
    price: {
      find: async () => looks[look],
      request: async () => void asked.push('price'),
      source: () => ({ collection: 'prices' }),
    },
    daily: {
      findMany: async (subjects: readonly SharePriceDay[]) =>
        subjects.map(({ day }) => (days.has(day) ? observed(priceOf(day)) : null)),
      async request({ day }: SharePriceDay) {
        days.add(day);
        asked.push(`day ${day}`);
      },
    },
    networks: ['mainnet'],
    logger: pino({ level: 'silent' }),
    now: () => NOW,
  } as unknown as KeepPricesDeps;
  await keepSharePrices(deps, stop.signal);
  return { asked, waits };
}

test('a price of each day is observed, once, as soon as one of that day is known', async () => {
  const looks = [100, 100, 101, 101, 103].map(day => observed(priceOf(day)));
  expect((await run(...looks)).asked).toEqual(['day 100', 'day 101', 'day 103']);
});

test('while no price is known it is requested again within seconds, and not an hour later', async () => {
  const { asked, waits } = await run(null, null, observed(priceOf(100)));
  expect(asked).toEqual(['price', 'price', 'day 100']);
  expect(Math.max(...waits.slice(0, 2))).toBeLessThan(30_000);
});

test('a price that no block changes is read once an hour', async () => {
  const price = priceOf(100);
  const looks = [observed(price, HOUR_MS - 1), observed(price, HOUR_MS + 1), observed(price)];
  expect((await run(...looks)).asked).toEqual(['day 100', 'price']);
});

test('a network without a vault is asked once an hour', async () => {
  expect((await run(observed(null), observed(null), observed(null, 2 * HOUR_MS))).asked).toEqual(['price']);
});
