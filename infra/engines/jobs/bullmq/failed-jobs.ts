import type { RedisClient } from 'bullmq';
import type { Redis } from 'ioredis';
import type { FailedJob } from '../../../../contracts/ports/jobs';
import { readJson } from '../../../../contracts/json/read-json';

/**
 * The failed jobs of a queue: a hash from entry to BullMQ's id of the job, a line break and the job as JSON, and a
 * sorted set of the entries by time.
 */
export interface FailedJobKeys {
  readonly jobs: string;
  readonly byTime: string;
}

export function failedJobKeys(toKey: (type: string) => string): FailedJobKeys {
  return {
    jobs: toKey('failed-jobs'),
    byTime: toKey('failed-jobs-by-time'),
  };
}

const KEEP_MS = 30 * 86_400_000;

const RECORD = `
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
  redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
  local old = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[4], 'LIMIT', 0, 100)
  if #old > 0 then
    redis.call('HDEL', KEYS[1], unpack(old))
    redis.call('ZREM', KEYS[2], unpack(old))
  end`;

/**
 * Replaces an earlier failure of the same entry.
 * @param bullId BullMQ's id of the job
 */
export async function recordFailed(
  client: Redis,
  { jobs, byTime }: FailedJobKeys,
  entry: string,
  bullId: string,
  job: FailedJob,
): Promise<void> {
  const { failedAt } = job;
  const text = `${bullId}\n${JSON.stringify(job)}`;
  await client.eval(RECORD, 2, jobs, byTime, entry, text, failedAt, failedAt - KEEP_MS);
}

/** Removes entries whose id belongs to a newer job, which may have ended. One that has just failed itself remains. */
const REMOVE = `
  for i = 1, #ARGV, 2 do
    local entry, bullId = ARGV[i], ARGV[i + 1]
    local failed = redis.call('HGET', KEYS[1], entry)
    if failed and string.sub(failed, 1, #bullId + 1) ~= bullId .. '\\n' then
      redis.call('HDEL', KEYS[1], entry)
      redis.call('ZREM', KEYS[2], entry)
    end
  end`;

/**
 * Removes the failures of jobs that were added again.
 * @param added for each job its entry, and BullMQ's id of the job that has its id
 */
export async function removeFailed(
  client: RedisClient,
  { jobs, byTime }: FailedJobKeys,
  added: readonly { readonly entry: string; readonly bullId: string }[],
): Promise<void> {
  const ids = added.flatMap(({ entry, bullId }) => [entry, bullId]);
  await client.runCommand('eval', [REMOVE, 2, jobs, byTime, ...ids]);
}

export async function hasFailed(client: RedisClient, { byTime }: FailedJobKeys): Promise<boolean> {
  return (await client.runCommand('exists', [byTime])) === 1;
}

export function countFailed(client: Redis, { byTime }: FailedJobKeys): Promise<number> {
  return client.zcard(byTime);
}

/** Latest first. */
export async function listFailed(
  client: Redis,
  { jobs, byTime }: FailedJobKeys,
  limit: number,
): Promise<readonly FailedJob[]> {
  if (limit < 1) return [];
  const entries = await client.zrevrange(byTime, 0, limit - 1);
  if (entries.length === 0) return [];
  const found = await client.hmget(jobs, ...entries);
  return found.flatMap(text =>
    text === null ? [] : (readJson(text.slice(text.indexOf('\n') + 1)) as FailedJob),
  );
}
