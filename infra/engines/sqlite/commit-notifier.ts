/** A state of the file, as seen by one connection to it. */
export interface Mark {
  readonly own: number;
  readonly others: number;
}

export interface WaitOptions {
  /** Default: no limit. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether commits of this connection do not count. */
  readonly byOthers?: boolean;
}

/**
 * Notifies of commits to one file, by any connection. No commit is missed between reading and waiting when the mark is
 * taken first:
 *
 *     const mark = commits.mark();
 *     const rows = read();
 *     if (rows.length === 0) await commits.after(mark, { signal });
 *
 * Waiters see own commits at once, and those of other connections or processes within the poll interval.
 */
export interface CommitNotifier {
  mark(): Mark;
  /**
   * True as soon as any connection committed after the mark; false on timeout, abort or when the database is closed.
   * A hint to read again: the commit may be unrelated, and a rolled back transaction may notify as well.
   */
  after(mark: Mark, wait?: WaitOptions): Promise<boolean>;
}

export interface WritableCommitNotifier extends CommitNotifier {
  /** Call after each commit of this connection. */
  committed(): void;
  close(): void;
}

interface Waiter {
  readonly mark: Mark;
  readonly byOthers: boolean;
  settle(committed: boolean): void;
}

/**
 * @param others `PRAGMA data_version`: a number that changes when another connection has committed
 * (https://www.sqlite.org/pragma.html#pragma_data_version), about 2 µs a call
 * @param pollMs between two reads of it, while there are waiters
 */
export function createCommitNotifier(others: () => number, pollMs: number): WritableCommitNotifier {
  const waiters = new Set<Waiter>();
  let own = 0;
  let polling: NodeJS.Timeout | undefined;
  let closed = false;

  const wake = (isDue: (waiter: Waiter) => boolean, committed: boolean): void => {
    for (const waiter of [...waiters]) if (isDue(waiter)) waiter.settle(committed);
  };
  const stopPolling = (): void => {
    clearInterval(polling);
    polling = undefined;
  };
  const poll = (): void => {
    try {
      const version = others();
      wake(waiter => waiter.mark.others !== version, true);
    } catch {
      // The next read meets the error where it can be handled.
      wake(() => true, true);
    }
  };

  return {
    mark: () => ({ own, others: others() }),
    after: (mark, { timeoutMs, signal, byOthers = false } = {}) => {
      if (closed || signal?.aborted) return Promise.resolve(false);
      if ((mark.own !== own && !byOthers) || mark.others !== others()) return Promise.resolve(true);
      return new Promise(resolve => {
        const timer = timeoutMs === undefined ? undefined : setTimeout(() => waiter.settle(false), timeoutMs);
        const abort = (): void => waiter.settle(false);
        const waiter: Waiter = {
          mark,
          byOthers,
          settle: committed => {
            waiters.delete(waiter);
            clearTimeout(timer);
            signal?.removeEventListener('abort', abort);
            if (waiters.size === 0) stopPolling();
            resolve(committed);
          },
        };
        waiters.add(waiter);
        signal?.addEventListener('abort', abort, { once: true });
        polling ??= setInterval(poll, pollMs);
      });
    },
    committed: () => {
      own += 1;
      wake(waiter => !waiter.byOthers, true);
    },
    close: () => {
      closed = true;
      wake(() => true, false);
    },
  };
}
