import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { EngineUnavailable } from '../../../../contracts/engine/engine-unavailable';
import type { Jobs } from '../../../../contracts/ports/jobs';
import { checkRedis } from '../../redis/check-redis';
import { closeClient, createClient } from '../../redis/client';
import { withTimeout } from '../../../../contracts/retry/with-timeout';
import { validateJob, validateSchedule } from '../validation';
import { countFailed, failedJobKeys, listFailed } from './failed-jobs';
import { openQueues } from './queues';
import { declareSchedule, removeSchedule } from './schedules';
import { runWorker } from './worker';

export interface BullMqJobsOptions {
  /** `redis://` or, over TLS, `rediss://`; one Redis, not a cluster. */
  readonly url: string;
  /** Prefix of all keys; default `tidemark`. */
  readonly prefix?: string;
  readonly logger?: Logger;
}

/** Longer than a command of the client takes at most. */
const TIMEOUT_MS = 8_000;

/** In BullMQ the score of a delayed job is its time in milliseconds times this, plus a number that keeps the order. */
const SCORE_PER_MS = 0x1000;

/**
 * Jobs in Redis, through BullMQ. A job that was added is as durable as Redis is configured: with `appendfsync always` it
 * survives every crash, with `everysec` the last second may be lost, without an append-only file everything since the
 * last snapshot. The clocks of the processes should agree within the intervals used: delays and schedules depend on
 * them. Workers outlive an outage of Redis; all else throws EngineUnavailable after some seconds.
 * @throws CannotOpen
 */
export async function openBullMqJobs({ url, prefix = 'tidemark', logger }: BullMqJobsOptions): Promise<Jobs> {
  await checkRedis(url, prefix, logger);
  const interactive = createClient(url, 'interactive', logger);
  const persistent = createClient(url, 'persistent');
  const queues = openQueues(interactive, prefix);

  const closing = new AbortController();
  const workers = new Set<Promise<void>>();
  return {
    add: async job => {
      const valid = validateJob(job);
      return asUnavailable(async () => (await queues.batcher(job.queue)).add(valid));
    },
    schedule: async schedule => {
      validateSchedule(schedule);
      await asUnavailable(async () => declareSchedule(await queues.get(schedule.queue), schedule));
    },
    unschedule: (queue, id) => asUnavailable(async () => removeSchedule(await queues.get(queue), id)),
    work: (options, handle) => {
      const signal = AbortSignal.any([options.signal, closing.signal]);
      const deps = { connection: persistent, prefix, logger };
      const work = runWorker(deps, { ...options, signal }, handle).finally(() => workers.delete(work));
      workers.add(work);
      return work;
    },
    counts: name =>
      asUnavailable(async () => {
        const queue = await queues.get(name);
        const counts = await queue.getJobCounts('active', 'wait', 'delayed');
        const waiting = (counts['wait'] ?? 0) + (counts['delayed'] ?? 0);
        const notDue = await countNotDue(interactive, queue.toKey('delayed'), Date.now());
        // Counted second: a job is listed as failed before it stops being active.
        const failed = await countFailed(interactive, failedJobKeys(queue.toKey));
        return { waiting, delayed: Math.min(notDue, waiting), running: counts['active'] ?? 0, failed };
      }),
    queues: () => asUnavailable(() => queues.names()),
    failures: (name, limit) =>
      asUnavailable(async () =>
        listFailed(interactive, failedJobKeys((await queues.get(name)).toKey), limit),
      ),
    close: async () => {
      closing.abort();
      await Promise.allSettled(workers);
      await queues.drained();
      await Promise.all([closeClient(interactive), closeClient(persistent)]);
    },
  };
}

/** BullMQ moves a job out of `delayed` at its time only while somebody works on the queue. */
function countNotDue(client: Redis, delayedKey: string, now: number): Promise<number> {
  return client.zcount(delayedKey, (now + 1) * SCORE_PER_MS, '+inf');
}

/** @throws EngineUnavailable when the command fails or takes longer than 8 seconds */
async function asUnavailable<Reply>(command: () => Promise<Reply>): Promise<Reply> {
  const onTimeout = (): never => {
    throw new Error('no answer in time');
  };
  try {
    return await withTimeout(TIMEOUT_MS, command(), onTimeout);
  } catch (error) {
    throw new EngineUnavailable('jobs', reasonOf(error), { cause: error });
  }
}

/** A failed transaction has its reason in the errors of its commands. */
function reasonOf(error: unknown): string {
  const { previousErrors = [], message = String(error) } = error as {
    previousErrors?: readonly Error[];
    message?: string;
  };
  return previousErrors[0]?.message ?? message;
}
