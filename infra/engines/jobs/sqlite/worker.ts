import { randomUUID } from 'node:crypto';
import type { Commits } from '../../sqlite/commits';
import type { Job, WorkOptions } from '../../../../contracts/ports/jobs';
import type { Claimed, Claims } from './claims';
import type { Outcomes } from './outcomes';

interface WorkerDeps {
  readonly claims: Claims;
  readonly outcomes: Outcomes;
  readonly commits: Commits;
  readonly clock: () => number;
}

/** Milliseconds after which an idle worker looks at the clock again, in case that was set. */
const LONGEST_SLEEP = 60_000;

/**
 * One worker: claims what is due, runs it, sleeps until the next is due or somebody commits.
 * Rejects, once the jobs in hand have ended, when the database fails.
 */
export async function runWorker(
  { claims, outcomes, commits, clock }: WorkerDeps,
  { queue, concurrency = 1, lease = 30_000, signal }: WorkOptions,
  handle: (job: Job) => Promise<void>,
): Promise<void> {
  const owner = randomUUID();
  const inHand = new Map<Claimed, AbortController>();
  const runs = new Set<Promise<void>>();
  const stopped = new AbortController();
  let fault: { readonly error: unknown } | undefined;

  const stop = (): void => {
    stopped.abort();
    for (const run of inHand.values()) run.abort();
  };
  const guarded = (act: () => void): void => {
    try {
      act();
    } catch (error) {
      fault ??= { error };
      stop();
    }
  };
  const run = async (job: Claimed): Promise<void> => {
    const lost = new AbortController();
    inHand.set(job, lost);
    const { id, data, attempt } = job;
    const end = await Promise.resolve({ queue, id, data, attempt, signal: lost.signal })
      .then(handle)
      .then(
        () => () => outcomes.done(job, owner, clock()),
        (error: unknown) => () =>
          stopped.signal.aborted
            ? outcomes.returned(job, owner, clock())
            : outcomes.failed(job, owner, error, clock()),
      );
    inHand.delete(job);
    guarded(end);
  };
  const renew = (): void =>
    guarded(() => {
      if (inHand.size === 0) return;
      const own = claims.renew(queue, owner, lease, clock());
      for (const [job, lost] of inHand) if (own.get(job.number) !== job.attempt) lost.abort();
    });
  const work = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      const mark = commits.mark();
      const free = concurrency - inHand.size;
      const due = free > 0 ? (claims.next(queue) ?? Infinity) : Infinity;
      const sleep = due - clock();
      if (sleep <= 0)
        for (const job of claims.claim(queue, owner, lease, free, clock())) {
          const running = run(job).finally(() => runs.delete(running));
          runs.add(running);
        }
      else await commits.after(mark, { timeout: Math.min(sleep, LONGEST_SLEEP), signal: stopped.signal });
    }
  };

  const renewal = setInterval(renew, lease / 3);
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
  if (fault) throw fault.error;
}
