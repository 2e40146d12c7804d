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
  const over = new AbortController();
  const stop = (): void => over.abort();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const failures: unknown[] = [];
  const fail = (error: unknown): void => {
    failures.push(error);
    stop();
  };

  const work = jobs.work({ queue, lease, signal: over.signal }, job => run(job.signal).catch(fail));
  // A holder that stopped has finished the job; the ones that wait need another.
  const offer = async (): Promise<void> => {
    while (!over.signal.aborted) {
      // Each holder that dies costs an attempt.
      await jobs.add({ queue, id: ID, data: {}, attempts: UNLIMITED });
      await pause(lease / 2, undefined, { signal: over.signal }).catch(() => {});
    }
  };
  await Promise.all([work.catch(fail), offer().catch(fail)]);
  signal.removeEventListener('abort', stop);
  if (failures.length > 0) throw failures[0];
}
