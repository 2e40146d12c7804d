import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import type { RateLimits } from '../../contracts/ports/rate-limits';
import { createMemoryLimits } from '../../infra/engines/rate-limits/memory';
import { openRedisLimits } from '../../infra/engines/rate-limits/redis';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';
import { startFaultyProxy, type FaultyProxy } from './faulty-proxy';
import { redis } from './redis';
import type { RunningServer } from './server';

const QUOTAS = {
  reads: 3,
  reviews_per_day: { calls: 9, seconds: 86_400 },
};

let server: RunningServer;
let proxy: FaultyProxy;
let prefix: string;
let opened: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  server = await redis.start(temporaryFolder());
});
beforeEach(async () => {
  prefix = randomUUID();
  proxy = await startFaultyProxy({ port: Number(new URL(server.url).port) });
});
afterEach(async () => {
  await Promise.all(opened.map(one => one.close()));
  opened = [];
  await proxy.close();
});
afterAll(() => server.stop());

/** One of several processes; ready once it counts in Redis. */
async function open() {
  const fallback = createMemoryLimits(QUOTAS);
  const fallbackCalls = jest.spyOn(fallback, 'consume');
  const limits = openRedisLimits({
    url: `redis://${proxy.host}:${proxy.port}`,
    prefix,
    quotas: QUOTAS,
    fallback,
    logger: pino({ level: 'silent' }),
  });
  opened.push(limits);
  const countsInRedis = () =>
    until(async () => {
      fallbackCalls.mockClear();
      await limits.consume('reads', randomUUID());
      return fallbackCalls.mock.calls.length === 0;
    });
  await countsInRedis();
  return { limits, fallbackCalls, countsInRedis };
}

const consumeTimes = async (limits: RateLimits, times: number) => {
  const remaining: unknown[] = [];
  for (let i = 0; i < times; i++) {
    const status = await limits.consume('reads', 'ann');
    remaining.push(status!.exceeded ? 'exceeded' : status!.remaining);
  }
  return remaining;
};

test('all processes share the counts', async () => {
  const [one, other] = [await open(), await open()];
  expect(await consumeTimes(one.limits, 2)).toEqual([2, 1]);
  expect(await consumeTimes(other.limits, 2)).toEqual([0, 'exceeded']);
  expect(await one.limits.consume('reads', 'ann')).toMatchObject({ quota: 3, window: 60, exceeded: true });
  expect(await one.limits.consume('writes', 'ann')).toBeNull();
});

test('all processes know what is left of a day, and a call that costs nothing takes nothing of it', async () => {
  const [one, other] = [await open(), await open()];
  await one.limits.consume('reviews_per_day', 'ann', 4);
  for (const { limits } of [one, other, one])
    expect(await limits.consume('reviews_per_day', 'ann', 0)).toMatchObject({
      quota: 9,
      window: 86_400,
      remaining: 5,
      exceeded: false,
    });
  // The day of both ends at the same time.
  const { resetsIn } = (await one.limits.consume('reviews_per_day', 'bob'))!;
  expect(Math.abs(Math.ceil(86_400 - ((Date.now() / 1_000) % 86_400)) - resetsIn)).toBeLessThan(60);
});

test.each(['reset', 'pause', 'dropReplies'] as const)(
  'the fallback counts during an outage of Redis (%s), and Redis counts again afterwards',
  async disturb => {
    const { limits, fallbackCalls, countsInRedis } = await open();
    expect(await consumeTimes(limits, 3)).toEqual([2, 1, 0]);
    proxy[disturb]();
    expect(await consumeTimes(limits, 4)).toEqual([2, 1, 0, 'exceeded']);
    expect(fallbackCalls).toHaveBeenCalledTimes(4);
    proxy.restore();
    await countsInRedis();
    expect(await consumeTimes(limits, 1)).toEqual(['exceeded']);
  },
);
