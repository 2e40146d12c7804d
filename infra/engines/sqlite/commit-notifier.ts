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

/** So long after the last commit of another connection they are looked for less often: mostly there is none. */
const QUIET_AFTER_MS = 2_000;
const QUIET_POLL_MS = 100;

/** All files of a process are looked at together: each wake-up of an idle process costs more than the look. */
const untilNext = (intervalMs: number): number => intervalMs - (Math.floor(performance.now()) % intervalMs);

/**
 * @param others `PRAGMA data_version`: a number that changes when another connection has committed
 * (https://www.sqlite.org/pragma.html#pragma_data_version), about 2 µs a call
 * @param pollMs between two reads of it, while there are waiters and others have committed lately; else 100 at least
 */
export function createCommitNotifier(others: () => number, pollMs: number): WritableCommitNotifier {
  const waiters = new Set<Waiter>();
  let own = 0;
  let polling: NodeJS.Timeout | undefined;
  let closed = false;
  let known = 0;
  let changedAt = 0;

  const wake = (isDue: (waiter: Waiter) => boolean, committed: boolean): void => {
    for (const waiter of [...waiters]) if (isDue(waiter)) waiter.settle(committed);
  };
  const stopPolling = (): void => {
    clearTimeout(polling);
    polling = undefined;
  };
  const startPolling = (): void => {
    if (polling) return;
    const isQuiet = Date.now() - changedAt > QUIET_AFTER_MS;
    polling = setTimeout(poll, isQuiet ? untilNext(Math.max(pollMs, QUIET_POLL_MS)) : pollMs);
  };
  const poll = (): void => {
    polling = undefined;
    try {
      const version = others();
      if (version !== known) changedAt = Date.now();
      known = version;
      wake(waiter => waiter.mark.others !== version, true);
    } catch {
      // The next read meets the error where it can be handled.
      wake(() => true, true);
    }
    if (waiters.size > 0) startPolling();
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
        startPolling();
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
