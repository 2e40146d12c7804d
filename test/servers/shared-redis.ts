import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { redis } from './redis';
import type { RunningServer } from './server';

/** For all tests of a file: the address of the Redis of `REDIS_URL`, or of one of our own. */
export function sharedRedis(): () => string {
  let server: RunningServer | undefined;
  beforeAll(async () => {
    if (!process.env['REDIS_URL']) server = await redis.start(mkdtempSync(join(tmpdir(), 'tidemark-redis-')));
  });
  afterAll(() => server?.stop());
  return () => process.env['REDIS_URL'] ?? server!.url;
}
