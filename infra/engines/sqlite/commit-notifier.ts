import { untilNextMs } from '../../../contracts/time/until-next';

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
  /** The same for many that wait for the same file: it may be a millisecond old, so that a commit is seen at the next poll. */
  recentMark(): Mark;
  /**
   * True as soon as any connection committed after the mark; false on timeout, abort or when the database is closed.
   * A hint to read again: the commit may be unrelated, and a rolled back transaction may notify as well.
   */
  after(mark: Mark, wait?: WaitOptions): Promise<boolean>;
}

export interface WritableCommitNotifier extends CommitNotifier {
  /** Call after each commit of this connection. Waiters are woken after what is due in this turn of the event loop. */
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
/** By all files of a process at the same time: each wake-up of an idle process costs more than the look. */
const QUIET_POLL_MS = 100;

/** Waiters that are woken in one turn of the event loop. */
const MAX_WOKEN = 4;

/** How old a recent mark may be. */
const MARK_AGE_MS = 1;

/**
 * @param others `PRAGMA data_version`: a number that changes when another connection has committed
 * (https://www.sqlite.org/pragma.html#pragma_data_version)
 * @param pollMs between two reads of it, while there are waiters and others have committed lately; else 100 at least
 */
export function createCommitNotifier(others: () => number, pollMs: number): WritableCommitNotifier {
  const waiters = new Set<Waiter>();
  let own = 0;
  let polling: NodeJS.Timeout | undefined;
  let waking: NodeJS.Immediate | undefined;
  let closed = false;
  let known = 0;
  let changedAt = 0;
  let version = 0;
  let readAt = -Infinity;

  const recent = (): number => {
    const now = performance.now();
    if (now - readAt < MARK_AGE_MS) return version;
    readAt = now;
    return (version = others());
  };
  const wake = (isDue: (waiter: Waiter) => boolean, committed: boolean): void => {
    for (const waiter of [...waiters]) if (isDue(waiter)) waiter.settle(committed);
  };
  /** A few at a time, so that neither the answer of who has committed nor new calls wait for all that waiters do. */
  const wakeByOwn = (): void => {
    waking = undefined;
    const due = [...waiters].filter(({ mark, byOthers }) => mark.own !== own && !byOthers);
    for (const waiter of due.slice(0, MAX_WOKEN)) waiter.settle(true);
    if (due.length > MAX_WOKEN) waking = setImmediate(wakeByOwn);
  };
  const stopPolling = (): void => {
    clearTimeout(polling);
    polling = undefined;
  };
  const startPolling = (): void => {
    if (polling) return;
    const isQuiet = Date.now() - changedAt > QUIET_AFTER_MS;
    polling = setTimeout(poll, isQuiet ? untilNextMs(Math.max(pollMs, QUIET_POLL_MS)) : pollMs);
  };
  const poll = (): void => {
    polling = undefined;
    try {
      version = others();
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
    recentMark: () => ({ own, others: recent() }),
    after: (mark, { timeoutMs, signal, byOthers = false } = {}) => {
      if (closed || signal?.aborted) return Promise.resolve(false);
      if ((mark.own !== own && !byOthers) || mark.others !== recent()) return Promise.resolve(true);
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
      waking ??= setImmediate(wakeByOwn);
    },
    close: () => {
      closed = true;
      clearImmediate(waking);
      wake(() => true, false);
    },
  };
}
