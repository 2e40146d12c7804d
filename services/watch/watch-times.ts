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

/** What the times of a watch depend on. */
export interface RecordedReads {
  /** RFC 3339: the first read. */
  readonly watchedAt: string;
  /** RFC 3339: the last one that was recorded. */
  readonly readAt: string;
  /** Whether the account is watched for as long as it is read; before, only for a short time. */
  readonly isConfirmed: boolean;
}

/**
 * An account that is not confirmed is watched for as long again as it has been read, if that is longer: so its watch costs a few events,
 * however long somebody reads it.
 */
const readForMs = ({ watchedAt, readAt }: RecordedReads): number =>
  Date.parse(readAt) - Date.parse(watchedAt);

/** @returns milliseconds after the last recorded read after which another one is recorded */
export function renewalMs(
  reads: RecordedReads,
  { renewAfterMs, renewUnconfirmedAfterMs }: Pick<WatchTimes, 'renewAfterMs' | 'renewUnconfirmedAfterMs'>,
): number {
  if (reads.isConfirmed) return renewAfterMs;
  return Math.min(renewAfterMs, Math.max(renewUnconfirmedAfterMs, readForMs(reads) / 4));
}

/** @returns milliseconds after the last recorded read after which the watch ends */
export function expiryMs(
  reads: RecordedReads,
  { expireAfterMs, expireUnconfirmedAfterMs }: Pick<WatchTimes, 'expireAfterMs' | 'expireUnconfirmedAfterMs'>,
): number {
  if (reads.isConfirmed) return expireAfterMs;
  const readFor = readForMs(reads);
  return Math.min(expireAfterMs, Math.max(expireUnconfirmedAfterMs, readFor + readFor / 4));
}
