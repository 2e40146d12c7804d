import type { Day } from '../../contracts/time/billing-period';
import type { Views } from '../views';
import { STATUSES } from './totals';
import type { FeeFilter } from './fee-filter';
import { latestTotalBuckets, totalBuckets, type TotalBucket } from './revenue-buckets';
import { daysOfInterval, intervalsOf, bounded, type IntervalRange } from './intervals';

/** Fees that a page may skip by reading them; the start of a later page is looked up first. */
export const MAX_SKIP = 1_000;

/** Number of matching fees, summed from buckets, so that the cost does not grow with the number of fees. */
export async function countFees(views: Views, filter: FeeFilter): Promise<number> {
  let count = 0;
  for await (const bucket of totalBuckets(views, intervalsOf(filter.days), filter.merchantSlug))
    count += countIn(bucket, filter);
  return count;
}

/** Where a page begins: the day, how many of its fees to skip, newest first, and how many are left after that. */
interface PageStart {
  readonly day: Day;
  readonly skip: number;
  readonly left: number;
}

/**
 * Finds the day on which a late page begins, so that the pages before it need not be read: first the month (or the day,
 * when the range is not whole months), then the day in it. Null when there are not that many fees.
 */
export async function pageStart(views: Views, filter: FeeFilter, skip: number): Promise<PageStart | null> {
  const coarse = await skipIntervals(views, filter, intervalsOf(bounded(filter.days)), skip);
  if (!coarse) return null;
  const fine = await skipIntervals(views, filter, [daysOfInterval(coarse.interval)], coarse.skip);
  return fine && { day: fine.interval.slice(1), skip: fine.skip, left: fine.left };
}

/** Skips whole intervals, newest first, while they have no more fees than are left to skip. */
async function skipIntervals(
  views: Views,
  filter: FeeFilter,
  intervals: readonly IntervalRange[],
  skip: number,
): Promise<{ readonly interval: string; readonly skip: number; readonly left: number } | null> {
  let left = skip;
  let interval: string | null = null;
  let count = 0;
  // The buckets of an interval are adjacent.
  for await (const bucket of latestTotalBuckets(views, intervals, filter.merchantSlug)) {
    if (bucket.interval !== interval) {
      if (left < count) break;
      left -= count;
      interval = bucket.interval;
      count = 0;
    }
    count += countIn(bucket, filter);
  }
  return interval !== null && left < count ? { interval, skip: left, left: count - left } : null;
}

function countIn(bucket: TotalBucket, { status, feeType }: FeeFilter): number {
  if (feeType !== undefined && bucket.fee_type !== feeType) return 0;
  return (status === undefined ? STATUSES : [status]).reduce(
    (count, each) => count + (bucket[each]?.count ?? 0),
    0,
  );
}
