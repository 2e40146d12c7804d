/** When reads of a watched account are recorded, and when its watch ends. */
export interface WatchTimes {
  /** Milliseconds since the last recorded read after which another one is recorded. */
  readonly renewAfterMs: number;
  /** Milliseconds since the last recorded read after which the watch ends. */
  readonly expireAfterMs: number;
}

const DAY_MS = 86_400_000;

/**
 * Reads are recorded once in a quarter of the time, so that a watch costs a few events. The quarter is added to the time:
 * what was read within it has not expired.
 * @param days without a read after which a watch ends; 0: never
 */
export function watchTimes(days: number): WatchTimes {
  if (days === 0) return { renewAfterMs: Infinity, expireAfterMs: Infinity };
  const renewAfterMs = (days * DAY_MS) / 4;
  return { renewAfterMs, expireAfterMs: days * DAY_MS + renewAfterMs };
}
