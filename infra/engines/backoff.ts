import { ExponentialBackoff } from 'cockatiel';

/** Growing delays with jitter between attempts, for loops that cannot be a retry policy of cockatiel. */
export interface Backoff {
  /** The next delay in milliseconds. */
  next(): number;
  /** Starts with the shortest delay again, after a success. */
  reset(): void;
}

export function createBackoff(minMs: number, maxMs: number): Backoff {
  const delays = new ExponentialBackoff({ initialDelay: minMs, maxDelay: maxMs });
  let upcoming = delays.next();
  return {
    next: () => {
      const { duration } = upcoming;
      upcoming = upcoming.next(undefined) as typeof upcoming;
      return duration;
    },
    reset: () => {
      upcoming = delays.next();
    },
  };
}
