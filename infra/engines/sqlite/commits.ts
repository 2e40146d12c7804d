/** A moment in the history of a file, as seen by one connection to it. */
export interface Mark {
  readonly own: number;
  readonly others: number;
}

export interface Wait {
  /** Milliseconds; default: for ever. */
  readonly timeout?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Notice of commits to one file, whoever makes them. Nothing is missed between looking and waiting when the mark is
 * taken first:
 *
 *     const mark = commits.mark();
 *     const rows = read();
 *     if (rows.length === 0) await commits.after(mark, { signal });
 *
 * Own commits wake at once; those of other connections, in this process or another one, within the poll interval.
 */
export interface Commits {
  mark(): Mark;
  /**
   * True as soon as somebody committed after the mark; false when the time is up, the signal fired or the database
   * was closed. A hint to look again: the commit may be of no interest, and a rolled back one may wake as well.
   */
  after(mark: Mark, wait?: Wait): Promise<boolean>;
}

export interface CommitWatch extends Commits {
  /** To be called after each commit of this connection. */
  committed(): void;
  close(): void;
}

interface Waiter {
  readonly mark: Mark;
  settle(committed: boolean): void;
}

/**
 * @param others `PRAGMA data_version`: a number that changes when another connection has committed
 *   (https://www.sqlite.org/pragma.html#pragma_data_version), about 2 µs a call
 * @param poll milliseconds between two looks at it, while anybody waits
 */
export function watchCommits(others: () => number, poll: number): CommitWatch {
  const waiters = new Set<Waiter>();
  let own = 0;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const wake = (isDue: (waiter: Waiter) => boolean, committed: boolean): void => {
    for (const waiter of [...waiters]) if (isDue(waiter)) waiter.settle(committed);
  };
  const rest = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const look = (): void => {
    try {
      const version = others();
      wake(waiter => waiter.mark.others !== version, true);
    } catch {
      // Whoever looks again will meet the error where it can be handled.
      wake(() => true, true);
    }
  };

  return {
    mark: () => ({ own, others: others() }),
    after: (mark, { timeout, signal } = {}) => {
      if (closed || signal?.aborted) return Promise.resolve(false);
      if (mark.own !== own || mark.others !== others()) return Promise.resolve(true);
      return new Promise(resolve => {
        const deadline = timeout === undefined ? undefined : setTimeout(() => waiter.settle(false), timeout);
        const abort = (): void => waiter.settle(false);
        const waiter: Waiter = {
          mark,
          settle: committed => {
            waiters.delete(waiter);
            clearTimeout(deadline);
            signal?.removeEventListener('abort', abort);
            if (waiters.size === 0) rest();
            resolve(committed);
          },
        };
        waiters.add(waiter);
        signal?.addEventListener('abort', abort, { once: true });
        timer ??= setInterval(look, poll);
      });
    },
    committed: () => {
      own += 1;
      wake(() => true, true);
    },
    close: () => {
      closed = true;
      wake(() => true, false);
    },
  };
}
