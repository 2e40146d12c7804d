import { setTimeout as pause } from 'node:timers/promises';
import { UnrecoverableError, WaitingError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { FailedJob, Job, WorkOptions } from '../../../../contracts/ports/jobs';
import { errorText } from '../rules';
import { idKey } from './add';
import { givenUpKeys, recordGivenUp } from './given-up';
import { openHolds } from './holds';
import { queueName } from './queues';
import { attemptOf, backoffOf, entryOf, idOf, type Stored, type StoredJob } from './stored-job';

interface WorkerDeps {
  /** One that waits for Redis to come back. */
  readonly connection: Redis;
  readonly prefix: string;
  readonly logger?: Logger | undefined;
}

/** Milliseconds. */
const RETRY = 1_000;
/** Milliseconds that a worker which stops waits for Redis to hear how its jobs ended; then they run again elsewhere. */
const FAREWELL = 5_000;

const DIED = 'the worker died, or did not renew its lease';

/** A crash counts as an attempt: BullMQ must not count crashes on its own as well. */
const ANY_NUMBER = Number.MAX_SAFE_INTEGER;

/** One worker of BullMQ, until the signal. Outlives every outage of Redis. */
export async function runWorker(
  { connection, prefix, logger }: WorkerDeps,
  { queue, concurrency = 1, lease = 30_000, signal }: WorkOptions,
  handle: (job: Job) => Promise<void>,
): Promise<void> {
  if (signal.aborted) return;
  const holds = openHolds(lease, (ids, tokens, duration) => worker.extendJobLocks(ids, tokens, duration));
  const runs = new Set<Promise<void>>();

  const giveUp = async (job: StoredJob, attempts: number, error: string): Promise<never> => {
    const failed: FailedJob = { id: idOf(job), data: job.data.data, attempts, error, failedAt: Date.now() };
    await recordGivenUp(connection, givenUpKeys(worker.toKey), entryOf(job), job.id!, failed);
    throw new UnrecoverableError(error);
  };
  const giveBack = async (job: StoredJob, token: string): Promise<never> => {
    await job.moveToWait(token);
    throw new WaitingError();
  };
  /** The id stays taken once the job has ended. */
  const keepId = async ({ name, data: { keep } }: StoredJob): Promise<void> => {
    if (keep > 0) await connection.pexpire(idKey(worker.toKey, name), keep);
  };

  const run = async (job: StoredJob, token: string): Promise<void> => {
    const attempt = attemptOf(job);
    const attempts = job.opts.attempts ?? 1;
    if (signal.aborted) return giveBack(job, token);
    if (attempt > attempts) return giveUp(job, attempt - 1, DIED);
    const hold = holds.take(job.id!, token);
    try {
      await handle({
        queue,
        id: idOf(job),
        data: job.data.data,
        attempt,
        get signal() {
          return hold.signal;
        },
      });
      if (!hold.lost) await keepId(job);
    } catch (error) {
      const text = errorText(error);
      if (hold.lost) throw new Error(text, { cause: error });
      if (signal.aborted) return await giveBack(job, token);
      if (attempt === attempts) return await giveUp(job, attempt, text);
      throw new Error(text, { cause: error });
    } finally {
      hold.release();
    }
  };

  const worker = new Worker<Stored, void>(
    queueName(queue),
    (job, token) => {
      const running = run(job, token!).finally(() => runs.delete(running));
      runs.add(running);
      return running;
    },
    {
      connection,
      prefix,
      concurrency,
      autorun: false,
      lockDuration: lease,
      skipLockRenewal: true,
      stalledInterval: Math.max(1, Math.ceil(lease / 3)),
      maxStalledCount: ANY_NUMBER,
      runRetryDelay: RETRY,
      settings: { backoffStrategy: (_attempts, _type, _error, job) => backoffOf(job as StoredJob) },
    },
  );
  worker.on('error', error => logger?.warn({ queue, reason: error.message }, 'jobs are held up'));

  const keepRunning = async (): Promise<void> => {
    while (!signal.aborted) {
      await worker.run().catch((error: unknown) => {
        logger?.error({ queue, reason: String(error) }, 'a worker ended by itself and begins again');
      });
      await pause(RETRY, undefined, { signal });
    }
  };
  keepRunning().catch(() => undefined);
  await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }));
  holds.abortAll();
  const over = new AbortController();
  const closed = worker.close();
  const farewell = ended(runs).then(() => pause(FAREWELL, undefined, { signal: over.signal }));
  await Promise.race([closed, farewell]);
  over.abort();
  farewell.catch(() => undefined);
  // Lets go of the connection when Redis is away and the worker cannot say goodbye.
  await worker.getBackend().close(true);
  holds.end();
}

const ended = async (runs: ReadonlySet<Promise<void>>): Promise<void> => {
  while (runs.size > 0) await Promise.allSettled(runs);
};
