/** When reads of a watched account are recorded, and when its watch ends: milliseconds since the last recorded read. */
export interface WatchTimes {
  /** After which another one is recorded. */
  readonly renewAfterMs: number;
  /** After which the watch ends. */
  readonly expireAfterMs: number;
  /** The same of an account that is not confirmed: anybody can think of any number of them. */
  readonly renewUnconfirmedAfterMs: number;
  readonly expireUnconfirmedAfterMs: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Reads are recorded once in a quarter of the time, so that a watch costs a few events. The quarter is added to the time:
 * what was read within it has not expired. An account that is not confirmed has an hour.
 * @param days without a read after which a watch ends; 0: never
 */
export function watchTimes(days: number): WatchTimes {
  const used = days === 0 ? Infinity : days * DAY_MS;
  const unconfirmed = days === 0 ? Infinity : HOUR_MS;
  return {
    renewAfterMs: used / 4,
    expireAfterMs: used + used / 4,
    renewUnconfirmedAfterMs: unconfirmed / 4,
    expireUnconfirmedAfterMs: unconfirmed + unconfirmed / 4,
  };
}
