import type { Database } from '../../sqlite/database';
import type { WaitOptions } from '../../sqlite/commit-notifier';

/** Numbers in the database that only grow, such as the end offset of a partition or the generation of a group. */
export interface WatchedCounters {
  /** True once the counter is above `value`; false on timeout, abort or when the log is closed. */
  waitUntilAbove(id: number, value: number, wait?: WaitOptions): Promise<boolean>;
}

interface Waiter {
  readonly id: number;
  readonly value: number;
  settle(grown: boolean): void;
  fail(error: unknown): void;
}

/**
 * Reads all counters once per commit, however many callers wait: there may be a hundred idle partitions and consumers.
 * @param sql selects id and value of all counters
 */
export function watchCounters(database: Database, sql: string): WatchedCounters {
  const { commits } = database;
  const select = database.prepare<[id: number, value: number]>(sql);
  const waiters = new Set<Waiter>();
  let watching: AbortController | null = null;
  let looking: NodeJS.Immediate | null = null;

  const settleGrown = (): void => {
    const values = new Map(select.all());
    for (const waiter of [...waiters]) if ((values.get(waiter.id) ?? 0) > waiter.value) waiter.settle(true);
  };
  const failAll = (error: unknown): void => {
    for (const waiter of [...waiters]) waiter.fail(error);
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
      failAll(error);
    }
  };
  /** Once for all that begin to wait in this turn: after a commit that is every consumer of a topic. */
  const look = (): void => {
    looking ??= setImmediate(() => {
      looking = null;
      try {
        if (waiters.size > 0) settleGrown();
      } catch (error) {
        failAll(error);
      }
    });
  };
  const ensureWatched = (): void => {
    if (watching) return look();
    watching = new AbortController();
    void watch(watching.signal);
  };
  const stopWatching = (): void => {
    watching?.abort();
    watching = null;
  };

  return {
    waitUntilAbove: (id, value, { timeoutMs, signal } = {}) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return resolve(false);
        const cancel = (): void => waiter.settle(false);
        const timer = timeoutMs === undefined ? undefined : setTimeout(cancel, timeoutMs);
        const finish = (): void => {
          waiters.delete(waiter);
          clearTimeout(timer);
          signal?.removeEventListener('abort', cancel);
          if (waiters.size === 0) stopWatching();
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
        signal?.addEventListener('abort', cancel, { once: true });
        ensureWatched();
      }),
  };
}
