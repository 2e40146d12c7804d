import type { Period } from '../../contracts/http/staking/indexer';

const DAY = 86_400;
const SECONDS: Readonly<Record<Exclude<Period, 'all'>, number>> = {
  day: DAY,
  week: 7 * DAY,
  month: 30 * DAY,
  year: 365 * DAY,
};

const MINUTE = 60;

/** A period up to now, as of the beginning of the minute: what is computed of it is of use to all who ask in that minute. */
export interface PeriodUpTo {
  readonly period: Period;
  /** Unix seconds; 0 where it does not matter. */
  readonly now: number;
}

export function periodUpTo(period: Period = 'all', clock: () => Date): PeriodUpTo {
  const now = Math.floor(clock().getTime() / 1_000 / MINUTE) * MINUTE;
  return { period, now: period === 'all' ? 0 : now };
}

/**
 * When it has begun, in Unix seconds; 0 for all.
 * @param newest Unix seconds of the newest of what there is: a local network may be ahead of the clock
 */
export function beginningOf({ period, now }: PeriodUpTo, newest = 0): number {
  return period === 'all' ? 0 : Math.max(now, newest) - SECONDS[period];
}
