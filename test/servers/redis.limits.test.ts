import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createMemoryLimits } from '../../infra/engines/rate-limits/memory';
import { openRedisLimits } from '../../infra/engines/rate-limits/redis';
import { until } from '../until';
import { openCut, type Cut } from './cut';
import { redis } from './redis';
import type { RunningServer } from './server';

const QUOTAS = { address: 0, failures: 0, reads: 3, exports: 0, writes: 0, fees: 0 };

let server: RunningServer;
let cut: Cut;
let prefix: string;
let opened: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  server = await redis.start(mkdtempSync(join(tmpdir(), 'tidemark-limits-')));
}, 120_000);
beforeEach(async () => {
  prefix = randomUUID();
  cut = await openCut({ port: Number(new URL(server.url).port) });
});
afterEach(async () => {
  await Promise.all(opened.map(one => one.close()));
  opened = [];
  await cut.close();
});
afterAll(() => server.stop());

/** One process among several; ready once it counts in Redis. */
async function open() {
  const meanwhile = createMemoryLimits(QUOTAS);
  const asked = jest.spyOn(meanwhile, 'take');
  const limits = openRedisLimits({
    url: `redis://${cut.host}:${cut.port}`,
    prefix,
    quotas: QUOTAS,
    meanwhile,
    logger: pino({ level: 'silent' }),
  });
  opened.push(limits);
  const countsInRedis = () =>
    until(async () => {
      asked.mockClear();
      await limits.take('reads', randomUUID());
      return asked.mock.calls.length === 0;
    });
  await countsInRedis();
  return { limits, asked, countsInRedis };
}

const taken = async (limits: { take: Awaited<ReturnType<typeof open>>['limits']['take'] }, times: number) => {
  const remaining: unknown[] = [];
  for (let i = 0; i < times; i++) {
    const standing = await limits.take('reads', 'ann');
    remaining.push(standing!.exceeded ? 'exceeded' : standing!.remaining);
  }
  return remaining;
};

test('all processes count together', async () => {
  const [one, other] = [await open(), await open()];
  expect(await taken(one.limits, 2)).toEqual([2, 1]);
  expect(await taken(other.limits, 2)).toEqual([0, 'exceeded']);
  expect(await one.limits.take('reads', 'ann')).toMatchObject({ quota: 3, window: 60, exceeded: true });
  expect(await one.limits.take('writes', 'ann')).toBeNull();
});

test.each(['cut', 'pause', 'deafen'] as const)(
  'a Redis that is lost (%s) stops nobody, and is counted in again when it is back',
  async disturb => {
    const { limits, asked, countsInRedis } = await open();
    expect(await taken(limits, 3)).toEqual([2, 1, 0]);
    cut[disturb]();
    expect(await taken(limits, 4)).toEqual([2, 1, 0, 'exceeded']);
    expect(asked).toHaveBeenCalledTimes(4);
    cut.heal();
    await countsInRedis();
    expect(await taken(limits, 1)).toEqual(['exceeded']);
  },
);
