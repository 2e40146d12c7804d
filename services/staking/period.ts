import type { Period } from '../../contracts/http/staking/indexer';

const DAY = 86_400;
const SECONDS: Readonly<Record<Exclude<Period, 'all'>, number>> = {
  day: DAY,
  week: 7 * DAY,
  month: 30 * DAY,
  year: 365 * DAY,
};

/** When a period up to now has begun, in Unix seconds; 0 for all. */
export function beginningOf(period: Period | undefined, now: number): number {
  return period === undefined || period === 'all' ? 0 : now - SECONDS[period];
}
