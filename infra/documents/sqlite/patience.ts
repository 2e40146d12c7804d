import { setTimeout as sleep } from 'node:timers/promises';
import { isBusy } from '../../sqlite/errors';

const PATIENCE = 30_000;

/**
 * Tries until the write lock is to be had. A rebuild in another thread holds it for tens of milliseconds at a time;
 * SQLite's own waiting would stop the event loop, and every read with it, for as long.
 */
export const patiently = async <Result>(attempt: () => Result): Promise<Result> => {
  for (const deadline = Date.now() + PATIENCE; ;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error;
    }
    await sleep(1 + Math.random() * 4);
  }
};
