import type { Redis } from 'ioredis';
import type { FailedJob } from '../port';

/** The jobs of a queue that were given up: a hash of what there is to tell of them, and a set in order of time. */
export interface GivenUpKeys {
  readonly told: string;
  readonly times: string;
}

export const givenUpKeys = (toKey: (type: string) => string): GivenUpKeys => ({
  told: toKey('given-up'),
  times: toKey('given-up-at'),
});

const KEEP = 30 * 86_400_000;

const RECORD = `
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
  redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
  local old = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[4], 'LIMIT', 0, 100)
  if #old > 0 then
    redis.call('HDEL', KEYS[1], unpack(old))
    redis.call('ZREM', KEYS[2], unpack(old))
  end`;

/** Takes the place of an earlier one of the same entry. */
export const recordGivenUp = async (
  client: Redis,
  { told, times }: GivenUpKeys,
  entry: string,
  job: FailedJob,
): Promise<void> => {
  const { failedAt } = job;
  await client.eval(RECORD, 2, told, times, entry, JSON.stringify(job), failedAt, failedAt - KEEP);
};

export const countGivenUp = (client: Redis, { times }: GivenUpKeys): Promise<number> => client.zcard(times);

/** Latest first. */
export const listGivenUp = async (
  client: Redis,
  { told, times }: GivenUpKeys,
  limit: number,
): Promise<readonly FailedJob[]> => {
  if (limit < 1) return [];
  const entries = await client.zrevrange(times, 0, limit - 1);
  if (entries.length === 0) return [];
  const found = await client.hmget(told, ...entries);
  return found.flatMap(text => (text === null ? [] : (JSON.parse(text) as FailedJob)));
};
