import { createFairQueue } from './fair-queue';

export class TooManyWaiting extends Error {
  override readonly name = 'TooManyWaiting';
}

/** Work of many callers, of which only so much runs at a time. */
export interface FairSemaphore {
  /** Whether nothing runs or waits. */
  readonly isIdle: boolean;
  /**
   * Runs the work when it is the caller's turn: callers take turns, each with what it has asked for first.
   * @param signal work that waits when it fires is not run
   * @throws TooManyWaiting when too much waits, of which the caller has most; the reason of the signal
   */
  run<Result>(caller: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
}

/** How the wait for a turn ends. */
interface Waiting {
  begin(): void;
  refuse(): void;
}

/** @param maxWaiting work of all callers together, beside what runs */
export function createFairSemaphore(options: {
  readonly maxConcurrent: number;
  readonly maxWaiting: number;
}): FairSemaphore {
  const { maxConcurrent, maxWaiting } = options;
  const turns = createFairQueue<Waiting>(maxWaiting);
  let running = 0;

  const turnOf = (caller: string, signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const end = (): void => signal?.removeEventListener('abort', leave);
      const waiting: Waiting = {
        begin() {
          end();
          resolve();
        },
        refuse() {
          end();
          reject(new TooManyWaiting('too much work of this caller waits'));
        },
      };
      const leave = (): void => {
        turns.remove(caller, waiting);
        reject(signal!.reason as Error);
      };
      signal?.addEventListener('abort', leave, { once: true });
      turns.add(caller, waiting)?.refuse();
    });

  return {
    get isIdle() {
      return running === 0 && turns.size === 0;
    },
    async run(caller, work, signal) {
      signal?.throwIfAborted();
      if (running < maxConcurrent) running++;
      else await turnOf(caller, signal);
      try {
        return await work();
      } finally {
        // The next one runs in place of this one.
        const next = turns.next();
        if (next) next.begin();
        else running--;
      }
    },
  };
}
