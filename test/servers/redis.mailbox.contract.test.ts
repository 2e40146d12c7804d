import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRedisMailbox } from '../../infra/mailbox/redis';
import { describeMailbox } from '../contracts/mailbox';
import { redis } from './redis';
import type { RunningServer } from './server';

let server: RunningServer | undefined;

/** The Redis of `REDIS_URL`, or one of our own. */
const url = (): string => process.env['REDIS_URL'] ?? server!.url;

beforeAll(async () => {
  if (!process.env['REDIS_URL']) server = await redis.start(mkdtempSync(join(tmpdir(), 'tidemark-redis-')));
}, 120_000);
afterAll(() => server?.stop());

describeMailbox(
  'Redis',
  (place, settings) => openRedisMailbox({ url: url(), prefix: place, ...settings }),
  place => ['redis', url(), place],
);
