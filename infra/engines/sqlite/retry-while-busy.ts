import { setTimeout as sleep } from 'node:timers/promises';
import { isBusy } from './errors';

const MAX_WAIT_MS = 30_000;
const MIN_RETRY_MS = 1;
const MAX_RETRY_MS = 3;

/** For connections whose writes all go through `retryWhileBusy`. */
export const SHORT_BUSY_TIMEOUT = 'PRAGMA busy_timeout=2';

/**
 * Retries until the write lock is free. SQLite's own waiting blocks the event loop, and its sleeps grow to 100 ms, so
 * that one of several busy processes may starve for seconds.
 * @throws SQLITE_BUSY after 30 seconds; what the attempt throws
 */
export async function retryWhileBusy<Result>(attempt: () => Result): Promise<Result> {
  for (const deadline = Date.now() + MAX_WAIT_MS; ;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error;
    }
    await sleep(MIN_RETRY_MS + Math.random() * (MAX_RETRY_MS - MIN_RETRY_MS));
  }
}
