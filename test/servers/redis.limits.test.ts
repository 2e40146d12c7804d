import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import type { RateLimits } from '../../contracts/ports/rate-limits';
import { createMemoryLimits } from '../../infra/engines/rate-limits/memory';
import { openRedisLimits } from '../../infra/engines/rate-limits/redis';
import { describeShares, PER_DAY } from '../contracts/rate-limits';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';
import { startFaultyProxy, type FaultyProxy } from './faulty-proxy';
import { redis } from './redis';
import type { RunningServer } from './server';

const PER_MINUTE = { reads: 3 };

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
  const fallback = createMemoryLimits(PER_MINUTE, PER_DAY);
  const fallbackCalls = jest.spyOn(fallback, 'consume');
  const limits = openRedisLimits({
    url: `redis://${proxy.host}:${proxy.port}`,
    prefix,
    perMinute: PER_MINUTE,
    perDay: PER_DAY,
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

describeShares('redis', async () => {
  const [one, other] = [await open(), await open()];
  prefix = randomUUID();
  return [one.limits, other.limits];
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
