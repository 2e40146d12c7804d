import { setTimeout as sleep } from 'node:timers/promises';
import type { Jobs, NewJob } from '../../contracts/ports/jobs';
import { retryForever } from '../../contracts/retry/retry';

const DAY_MS = 86_400_000;
const CHECK_MS = 60_000;

export interface ReenqueueOptions {
  /** Name of the marker job; it must not change. */
  readonly name: string;
  readonly jobs: Jobs;
  /** All jobs that may still have to run, derived from events and documents. One that ran before must end immediately. */
  all(): AsyncIterable<NewJob>;
  /** Milliseconds between two checks; default a minute. */
  readonly checkMs?: number;
  onError(error: unknown): void;
  /** Called after the jobs were enqueued again, with the number of those that were missing. */
  onReenqueued?(count: number): void;
}

/**
 * Enqueues jobs again, until the signal, when the job engine was emptied or replaced, as a Redis without persistence may
 * be. A marker job that is never due shows that the engine still has its jobs; losing only the newest is not detected.
 */
export function reenqueueLostJobs(
  { name, jobs, all, checkMs = CHECK_MS, onError, onReenqueued }: ReenqueueOptions,
  signal: AbortSignal,
): Promise<void> {
  const queue = `marker-${name}`;
  return retryForever(
    async onProgress => {
      for (; !signal.aborted; await sleep(checkMs, undefined, { signal })) {
        if ((await jobs.counts(queue)).waiting === 0) {
          let count = 0;
          for await (const job of all()) {
            signal.throwIfAborted();
            if (await jobs.add(job)) count++;
          }
          // Last, so that an interrupted run starts over.
          await jobs.add({ queue, id: name, data: {}, delayMs: 3_650 * DAY_MS });
          onReenqueued?.(count);
        }
        onProgress();
      }
    },
    { signal, onError },
  );
}
