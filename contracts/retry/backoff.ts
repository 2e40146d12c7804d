/** Milliseconds to wait after a number of failures in a row (0 for the first): doubles from `minMs` up to `maxMs`. */
export function backoffMs(failures: number, minMs: number, maxMs: number): number {
  return Math.min(minMs * 2 ** failures, maxMs);
}

/** The growing delays between the attempts of one loop. */
export interface Backoff {
  /** The next delay in milliseconds. */
  next(): number;
  /** Starts with the shortest delay again, after a success. */
  reset(): void;
}

/** Delays that double with each failure, from `minMs` up to `maxMs`. */
export function createBackoff(minMs: number, maxMs: number): Backoff {
  let failures = 0;
  return {
    next: () => backoffMs(failures++, minMs, maxMs),
    reset: () => {
      failures = 0;
    },
  };
}
