import { temporaryFolder } from '../temporary-folder';
import { redis } from './redis';
import type { RunningServer } from './server';

/** The address of a Redis for all tests of a file: `REDIS_URL`, or one that is started for them. */
export function sharedRedis(): () => string {
  let server: RunningServer | undefined;
  beforeAll(async () => {
    if (!process.env['REDIS_URL']) server = await redis.start(temporaryFolder());
  });
  afterAll(() => server?.stop());
  return () => process.env['REDIS_URL'] ?? server!.url;
}
