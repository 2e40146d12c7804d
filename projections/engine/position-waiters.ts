import type { Position } from '../../contracts/position';

/** A reader that waits until a projection has folded all events up to a position. */
export interface Waiter {
  readonly position: Position;
  /** Its time is over: the next look is its last one. */
  readonly isLate: boolean;
  end(reached: boolean | Error): void;
}

/** Those who wait. */
export interface Waiters {
  readonly size: number;
  /** Those who wait now. */
  all(): readonly Waiter[];
  has(waiter: Waiter): boolean;
  /** Ends those of `some` who still wait and to whom this applies. */
  end(some: Iterable<Waiter>, isAnswered: (waiter: Waiter) => boolean, reached: boolean | Error): void;
  /** Waits to be ended; false at the signal. After `timeoutMs` it is late. */
  wait(position: Position, timeoutMs: number, signal: AbortSignal | undefined): Promise<boolean>;
}

/**
 * @param onLate the time of one is over
 * @param onNone nobody waits any more
 */
export function createWaiters(onLate: () => void, onNone: () => void): Waiters {
  const waiters = new Set<Waiter>();
  return {
    get size() {
      return waiters.size;
    },
    all: () => [...waiters],
    has: waiter => waiters.has(waiter),
    end(some, isAnswered, reached) {
      for (const waiter of some) if (waiters.has(waiter) && isAnswered(waiter)) waiter.end(reached);
    },
    wait: (position, timeoutMs, signal) =>
      new Promise((resolve, reject) => {
        const leave = (): void => waiter.end(false);
        const waiter = {
          position,
          isLate: false,
          end(reached: boolean | Error) {
            waiters.delete(waiter);
            clearTimeout(timer);
            signal?.removeEventListener('abort', leave);
            if (reached instanceof Error) reject(reached);
            else resolve(reached);
            if (waiters.size === 0) onNone();
          },
        };
        const timer = setTimeout(() => {
          waiter.isLate = true;
          onLate();
        }, timeoutMs);
        signal?.addEventListener('abort', leave);
        waiters.add(waiter);
      }),
  };
}
