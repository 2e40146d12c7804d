import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBullMqJobs } from '../../infra/jobs/bullmq';
import { openRedisWakeUps } from '../../infra/wake-ups/redis';
import { describeJobs } from '../contracts/jobs';
import { describeWakeUps } from '../contracts/wake-ups';
import { redis } from './redis';
import type { RunningServer } from './server';

let server: RunningServer | undefined;

/** The Redis of `REDIS_URL`, or one of our own. */
const url = (): string => process.env['REDIS_URL'] ?? server!.url;

beforeAll(async () => {
  if (!process.env['REDIS_URL']) server = await redis.start(mkdtempSync(join(tmpdir(), 'tidemark-redis-')));
}, 120_000);
afterAll(() => server?.stop());

describeJobs('BullMQ', place => openBullMqJobs({ url: url(), prefix: place }));

describeWakeUps('Redis', place => openRedisWakeUps({ url: url(), prefix: place }), { carried: true });
