import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { sleep } from '../../../../contracts/retry/retry';
import type { CommitNotifier } from '../../sqlite/commit-notifier';
import type { Job, WorkOptions } from '../../../../contracts/ports/jobs';
import type { ClaimedJob, Claims } from './claims';
import type { Outcomes } from './outcomes';

interface WorkerDeps {
  readonly claims: Claims;
  readonly outcomes: Outcomes;
  readonly commits: CommitNotifier;
  readonly clock: () => number;
}

const RETRY_MS = 20;
/** An idle worker reads the clock again after this time, in case it was changed. */
const MAX_SLEEP_MS = 60_000;

/**
 * One worker: claims due jobs, runs them, and sleeps until the next one is due or another connection commits.
 * Rejects when the database fails, once the running jobs have ended.
 */
export async function runWorker(
  { claims, outcomes, commits, clock }: WorkerDeps,
  { queue, concurrency = 1, leaseMs = 30_000, signal }: WorkOptions,
  handle: (job: Job) => Promise<void>,
): Promise<void> {
  const worker = randomUUID();
  const running = new Map<ClaimedJob, AbortController>();
  const runs = new Set<Promise<void>>();
  const stopped = new AbortController();
  let failure: { readonly error: unknown } | undefined;

  const stop = (): void => {
    stopped.abort();
    for (const lost of running.values()) lost.abort();
  };
  const stopOnError = (act: () => void): void => {
    try {
      act();
    } catch (error) {
      failure ??= { error };
      stop();
    }
  };
  const run = async (job: ClaimedJob): Promise<void> => {
    const lost = new AbortController();
    running.set(job, lost);
    const { id, data, attempt } = job;
    const record = await Promise.resolve({ queue, id, data, attempt, signal: lost.signal })
      .then(handle)
      .then(
        () => () => outcomes.complete(job, worker, clock()),
        (error: unknown) => () =>
          stopped.signal.aborted
            ? outcomes.release(job, worker, clock())
            : outcomes.fail(job, worker, error, clock()),
      );
    running.delete(job);
    stopOnError(record);
  };
  const renew = (): void =>
    stopOnError(() => {
      if (running.size === 0) return;
      const held = claims.renew(queue, worker, leaseMs, clock());
      for (const [job, lost] of running) if (held.get(job.number) !== job.attempt) lost.abort();
    });
  const work = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      const mark = commits.mark();
      const free = concurrency - running.size;
      const due = free > 0 ? (claims.nextDue(queue) ?? Infinity) : Infinity;
      const sleepMs = due - clock();
      const claimed = sleepMs <= 0 ? claims.claim(queue, worker, leaseMs, free, clock()) : [];
      for (const job of claimed) {
        const ended = run(job).finally(() => runs.delete(ended));
        runs.add(ended);
      }
      if (claimed.length > 0) {
        await turn();
        continue;
      }
      // Another worker was faster; or, in a damaged file, the index has a job that cannot be claimed.
      if (sleepMs <= 0) await sleep(RETRY_MS, stopped.signal);
      else await commits.after(mark, { timeoutMs: Math.min(sleepMs, MAX_SLEEP_MS), signal: stopped.signal });
    }
  };

  const renewal = setInterval(renew, leaseMs / 3);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    await work();
  } finally {
    stop();
    await Promise.all(runs);
    clearInterval(renewal);
    signal.removeEventListener('abort', stop);
  }
  if (failure) throw failure.error;
}
