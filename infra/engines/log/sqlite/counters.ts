import type { Database } from '../../sqlite/database';
import type { Wait } from '../../sqlite/commits';

/** Numbers in the database that only grow: the end of a partition, the generation of a group. */
export interface Counters {
  /** True once the counter is more than `value`; false when the time is up, the signal fired or the log was closed. */
  beyond(id: number, value: number, wait?: Wait): Promise<boolean>;
}

interface Waiter {
  readonly id: number;
  readonly value: number;
  settle(grown: boolean): void;
  fail(error: unknown): void;
}

/**
 * However many wait, one looks after each commit: there may be a hundred partitions and consumers at rest.
 * @param sql gives id and value of all counters
 */
export function createCounters(database: Database, sql: string): Counters {
  const { commits } = database;
  const select = database.prepare<[id: number, value: number]>(sql);
  const waiters = new Set<Waiter>();
  let watching: AbortController | null = null;

  const settleGrown = (): void => {
    const values = new Map(select.all());
    for (const waiter of [...waiters]) if ((values.get(waiter.id) ?? 0) > waiter.value) waiter.settle(true);
  };
  const watch = async (signal: AbortSignal): Promise<void> => {
    try {
      while (!signal.aborted) {
        const mark = commits.mark();
        settleGrown();
        const committed = await commits.after(mark, { signal });
        if (!committed && !signal.aborted) for (const waiter of [...waiters]) waiter.settle(false);
      }
    } catch (error) {
      for (const waiter of [...waiters]) waiter.fail(error);
    }
  };
  const ensureWatched = (): void => {
    if (watching) return settleGrown();
    watching = new AbortController();
    void watch(watching.signal);
  };
  const rest = (): void => {
    watching?.abort();
    watching = null;
  };

  return {
    beyond: (id, value, { timeout, signal } = {}) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return resolve(false);
        const giveUp = (): void => waiter.settle(false);
        const deadline = timeout === undefined ? undefined : setTimeout(giveUp, timeout);
        const finish = (): void => {
          waiters.delete(waiter);
          clearTimeout(deadline);
          signal?.removeEventListener('abort', giveUp);
          if (waiters.size === 0) rest();
        };
        const waiter: Waiter = {
          id,
          value,
          settle: grown => {
            finish();
            resolve(grown);
          },
          fail: error => {
            finish();
            reject(error);
          },
        };
        waiters.add(waiter);
        signal?.addEventListener('abort', giveUp, { once: true });
        ensureWatched();
      }),
  };
}
