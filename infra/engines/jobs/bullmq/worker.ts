import { setTimeout as sleep } from 'node:timers/promises';
import { UnrecoverableError, WaitingError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { FailedJob, Job, WorkOptions } from '../../../../contracts/ports/jobs';
import { errorText } from '../error-text';
import { idKey } from './add-jobs';
import { failedJobKeys, recordFailed } from './failed-jobs';
import { createLeases, type Leases } from './leases';
import { queueName } from './queues';
import { attemptOf, backoffOf, entryOf, idOf, type JobData, type StoredJob } from './stored-job';

interface WorkerDeps {
  /** A client whose commands wait while Redis is not available. */
  readonly connection: Redis;
  readonly prefix: string;
  readonly logger?: Logger | undefined;
}

const RETRY_MS = 1_000;
/** How long a stopping worker waits until Redis has recorded how its jobs ended; after that they run again elsewhere. */
const CLOSE_TIMEOUT_MS = 5_000;

const DIED = 'the worker died, or did not renew its lease';

/** A crash counts as an attempt, so BullMQ's own limit of crashes is not used. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** Runs one BullMQ worker until the signal. Outlives an outage of Redis. */
export async function runWorker(
  { connection, prefix, logger }: WorkerDeps,
  { queue, concurrency = 1, leaseMs = 30_000, signal }: WorkOptions,
  handle: (job: Job) => Promise<void>,
): Promise<void> {
  if (signal.aborted) return;
  const leases = createLeases(leaseMs, (ids, tokens, duration) =>
    worker.extendJobLocks(ids, tokens, duration),
  );
  const runs = new Set<Promise<void>>();
  const worker = new Worker<JobData, void>(
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
      lockDuration: leaseMs,
      skipLockRenewal: true,
      stalledInterval: Math.max(1, Math.ceil(leaseMs / 3)),
      maxStalledCount: UNLIMITED,
      runRetryDelay: RETRY_MS,
      settings: { backoffStrategy: (_attempts, _type, _error, job) => backoffOf(job as StoredJob) },
    },
  );
  const run = createRun({ connection, worker, queue, leases, signal }, handle);
  worker.on('error', err => logger?.warn({ queue, err }, 'job worker error, retrying'));

  const keepRunning = async (): Promise<void> => {
    while (!signal.aborted) {
      await worker.run().catch((err: unknown) => {
        logger?.error({ queue, err }, 'job worker stopped unexpectedly, restarting');
      });
      await sleep(RETRY_MS, undefined, { signal });
    }
  };
  keepRunning().catch(() => undefined);
  await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }));
  leases.abortAll();
  await close(worker, runs);
  leases.close();
}

interface RunDeps extends Pick<WorkerDeps, 'connection'>, Pick<WorkOptions, 'queue' | 'signal'> {
  readonly worker: Worker<JobData, void>;
  readonly leases: Leases;
}

/** Runs a job that the worker has taken, under a lease, and records in Redis how it ended. */
function createRun(
  { connection, worker, queue, leases, signal }: RunDeps,
  handle: (job: Job) => Promise<void>,
): (job: StoredJob, token: string) => Promise<void> {
  const fail = async (job: StoredJob, attempts: number, error: string): Promise<never> => {
    const failed: FailedJob = { id: idOf(job), data: job.data.data, attempts, error, failedAt: Date.now() };
    await recordFailed(connection, failedJobKeys(worker.toKey), entryOf(job), job.id!, failed);
    throw new UnrecoverableError(error);
  };
  /** Returns the job to the queue without counting the attempt. */
  const release = async (job: StoredJob, token: string): Promise<never> => {
    await job.moveToWait(token);
    throw new WaitingError();
  };
  const keepId = async ({ name, data: { keepIdMs } }: StoredJob): Promise<void> => {
    if (keepIdMs > 0) await connection.pexpire(idKey(worker.toKey, name), keepIdMs);
  };

  return async (job, token) => {
    const attempt = attemptOf(job);
    const attempts = job.opts.attempts ?? 1;
    if (signal.aborted) return release(job, token);
    if (attempt > attempts) return fail(job, attempt - 1, DIED);
    const lease = leases.acquire(job.id!, token);
    try {
      await handle({
        queue,
        id: idOf(job),
        data: job.data.data,
        attempt,
        get signal() {
          return lease.signal;
        },
      });
      if (!lease.lost) await keepId(job);
    } catch (error) {
      const text = errorText(error);
      if (lease.lost) throw new Error(text, { cause: error });
      if (signal.aborted) return await release(job, token);
      if (attempt === attempts) return await fail(job, attempt, text);
      throw new Error(text, { cause: error });
    } finally {
      lease.release();
    }
  };
}

/** Waits until Redis has recorded how the runs ended, for a while. */
async function close(worker: Worker<JobData, void>, runs: ReadonlySet<Promise<void>>): Promise<void> {
  const closed = new AbortController();
  const closing = worker.close();
  const timeout = allSettled(runs).then(() => sleep(CLOSE_TIMEOUT_MS, undefined, { signal: closed.signal }));
  await Promise.race([closing, timeout]);
  closed.abort();
  timeout.catch(() => undefined);
  // Frees the connection when Redis is not available and the worker cannot close by itself.
  await worker.getBackend().close(true);
}

const allSettled = async (runs: ReadonlySet<Promise<void>>): Promise<void> => {
  while (runs.size > 0) await Promise.allSettled(runs);
};
