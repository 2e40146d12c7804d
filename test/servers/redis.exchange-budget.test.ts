import { setMaxListeners } from 'node:events';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { createRequestBudget } from '../../infra/engines/request-budget/budget';
import { openRedisBudget } from '../../infra/engines/request-budget/redis-budget';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';
import { startFaultyProxy, type FaultyProxy } from './faulty-proxy';
import { redis } from './redis';
import type { RunningServer } from './server';

const PER_SECOND = 8;
const BURST = 2;

let server: RunningServer;
let proxy: FaultyProxy;
let opened: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  server = await redis.start(temporaryFolder());
});
beforeEach(async () => {
  proxy = await startFaultyProxy({ port: Number(new URL(server.url).port) });
});
afterEach(async () => {
  await Promise.all(opened.map(one => one.close()));
  opened = [];
  await proxy.close();
});
afterAll(() => server.stop());

/** The budget as one of several processes has it. */
function open(key: string) {
  const url = `redis://${proxy.host}:${proxy.port}`;
  const budget = openRedisBudget({ url, key, perSecond: PER_SECOND, logger: pino({ level: 'silent' }) });
  opened.push(budget);
  return budget;
}
/** Until Redis, which allows less at once, is what answers. */
const countsInRedis = (budget: ReturnType<typeof open>): Promise<unknown> =>
  until(async () => {
    const delays = await Promise.all(Array.from({ length: BURST + 1 }, () => budget.take()));
    return delays.some(delayMs => delayMs > 0);
  });

it('is one for several processes', async () => {
  const key = randomUUID();
  const processes = [open(key), open(key)];
  for (const budget of processes) await countsInRedis(budget);
  await sleep(1_000);
  const started = performance.now();
  const REQUESTS = 24;
  const never = new AbortController().signal;
  setMaxListeners(0, never);
  await Promise.all(
    processes.map(async shared => {
      const { take } = createRequestBudget({ perSecond: PER_SECOND, shared });
      await Promise.all(
        Array.from({ length: REQUESTS / 2 }, () => take({ priority: 'order', signal: never })),
      );
    }),
  );
  // Two budgets would need half of it.
  expect(performance.now() - started).toBeGreaterThanOrEqual(((REQUESTS - BURST) / PER_SECOND) * 1_000 - 50);
});

it('is full again after a while', async () => {
  const budget = open(randomUUID());
  await countsInRedis(budget);
  await sleep(1_000);
  expect([await budget.take(), await budget.take()]).toEqual([0, 0]);
});

it.each(['reset', 'pause', 'dropReplies'] as const)(
  'is that of each process alone while Redis does not answer (%s), and one again afterwards',
  async disturb => {
    const budget = open(randomUUID());
    await countsInRedis(budget);
    proxy[disturb]();
    expect(
      await until(
        () => budget.take(),
        delayMs => delayMs === 0,
      ),
    ).toBe(0);
    proxy.restore();
    await countsInRedis(budget);
  },
);
