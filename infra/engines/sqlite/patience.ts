import { setTimeout as sleep } from 'node:timers/promises';
import { isBusy } from './errors';

const PATIENCE = 30_000;

/** For connections whose every write is tried `patiently`. */
export const IMPATIENT = 'PRAGMA busy_timeout=2';

/**
 * Tries until the write lock is to be had. SQLite's own waiting stops the event loop, and its sleeps grow to 100 ms, so
 * that of several busy processes one may get nothing for seconds.
 * @throws SQLITE_BUSY after 30 seconds; what the attempt throws
 */
export async function patiently<Result>(attempt: () => Result): Promise<Result> {
  for (const deadline = Date.now() + PATIENCE; ;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error;
    }
    await sleep(1 + Math.random() * 2);
  }
}
