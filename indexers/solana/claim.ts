import { setTimeout as pause } from 'node:timers/promises';
import type { Jobs } from '../../infra/jobs/port';

const ID = 'hold';
const UNLIMITED = 1_000_000;

/**
 * Runs something in one place at a time, whoever else wants to: the claim is a job that is never done. When its holder
 * dies, the next one gets it after the lease (milliseconds).
 */
export async function whileClaimed(
  jobs: Jobs,
  { queue, lease, signal }: { queue: string; lease: number; signal: AbortSignal },
  run: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failed = new AbortController();
  const stop = (): void => failed.abort();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  let failure: { error: unknown } | null = null;

  const work = jobs.work({ queue, lease, signal: failed.signal }, async job => {
    try {
      await run(job.signal);
    } catch (error) {
      failure = { error };
      stop();
    }
  });
  // A holder that stopped has finished the job; the ones that wait need another.
  const offer = async (): Promise<void> => {
    while (!failed.signal.aborted) {
      // Each holder that dies costs an attempt.
      await jobs.add({ queue, id: ID, data: {}, attempts: UNLIMITED });
      await pause(lease / 2, undefined, { signal: failed.signal }).catch(() => {});
    }
  };
  await Promise.all([work, offer()]);
  signal.removeEventListener('abort', stop);
  if (failure) throw (failure as { error: unknown }).error;
}
