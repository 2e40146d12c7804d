import type { RedisClient } from 'bullmq';
import type { Redis } from 'ioredis';
import type { FailedJob } from '../../../../contracts/ports/jobs';

/**
 * The jobs of a queue that were given up: a hash of what there is to tell of them, after what BullMQ called the job and
 * a line break, and a set in order of time.
 */
export interface GivenUpKeys {
  readonly told: string;
  readonly times: string;
}

export function givenUpKeys(toKey: (type: string) => string): GivenUpKeys {
  return {
    told: toKey('given-up'),
    times: toKey('given-up-at'),
  };
}

const KEEP = 30 * 86_400_000;

const RECORD = `
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
  redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
  local old = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[4], 'LIMIT', 0, 100)
  if #old > 0 then
    redis.call('HDEL', KEYS[1], unpack(old))
    redis.call('ZREM', KEYS[2], unpack(old))
  end`;

/**
 * Takes the place of an earlier one of the same entry.
 * @param key what BullMQ calls the job
 */
export async function recordGivenUp(
  client: Redis,
  { told, times }: GivenUpKeys,
  entry: string,
  key: string,
  job: FailedJob,
): Promise<void> {
  const { failedAt } = job;
  const text = `${key}\n${JSON.stringify(job)}`;
  await client.eval(RECORD, 2, told, times, entry, text, failedAt, failedAt - KEEP);
}

/** Each whose id another job has by now; one that is only about to be given up still has its id itself. */
const FORGET = `
  for i = 3, #KEYS do
    local key, entry = redis.call('GET', KEYS[i]), ARGV[i - 2]
    local told = key and redis.call('HGET', KEYS[1], entry)
    if told and string.sub(told, 1, #key + 1) ~= key .. '\\n' then
      redis.call('HDEL', KEYS[1], entry)
      redis.call('ZREM', KEYS[2], entry)
    end
  end`;

/**
 * Takes from the list those whose ids were taken anew.
 * @param jobs for each its entry, and where Redis keeps which job has its id
 */
export async function forgetGivenUp(
  client: RedisClient,
  { told, times }: GivenUpKeys,
  jobs: readonly { readonly entry: string; readonly holder: string }[],
): Promise<void> {
  const holders = jobs.map(({ holder }) => holder);
  const entries = jobs.map(({ entry }) => entry);
  await client.runCommand('eval', [FORGET, jobs.length + 2, told, times, ...holders, ...entries]);
}

export async function hasGivenUp(client: RedisClient, { times }: GivenUpKeys): Promise<boolean> {
  return (await client.runCommand('exists', [times])) === 1;
}

export function countGivenUp(client: Redis, { times }: GivenUpKeys): Promise<number> {
  return client.zcard(times);
}

/** Latest first. */
export async function listGivenUp(
  client: Redis,
  { told, times }: GivenUpKeys,
  limit: number,
): Promise<readonly FailedJob[]> {
  if (limit < 1) return [];
  const entries = await client.zrevrange(times, 0, limit - 1);
  if (entries.length === 0) return [];
  const found = await client.hmget(told, ...entries);
  return found.flatMap(text =>
    text === null ? [] : (JSON.parse(text.slice(text.indexOf('\n') + 1)) as FailedJob),
  );
}
