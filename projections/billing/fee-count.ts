import type { Day } from '../../contracts/billing-period';
import type { Views } from '../views';
import { STATUSES } from './bucket';
import type { FeeFilter } from './fee-filter';
import { latestTotalBuckets, totalBuckets, type TotalBucket } from './revenue-buckets';
import { daysIn, spansOf, within, type Spans } from './spans';

/** How many fees of the ledger match: summed from buckets, whatever the size of the ledger. */
export async function countFees(views: Views, filter: FeeFilter): Promise<number> {
  let count = 0;
  for await (const bucket of totalBuckets(views, spansOf(filter.days), filter.merchantSlug))
    count += countIn(bucket, filter);
  return count;
}

/** Where a page begins: after so many fees of the day, newest first; so many are left of it then. */
interface PageStart {
  readonly day: Day;
  readonly skip: number;
  readonly left: number;
}

/**
 * Finds the day on which a page that is far down begins, so that what lies above need not be read: first the month
 * (or the day, where the range is no whole month), then the day in it. Null when there are not so many fees.
 */
export async function pageStart(views: Views, filter: FeeFilter, skip: number): Promise<PageStart | null> {
  const coarse = await pass(views, filter, spansOf(within(filter.days)), skip);
  if (!coarse) return null;
  const fine = await pass(views, filter, [daysIn(coarse.span)], coarse.skip);
  return fine && { day: fine.span.slice(1), skip: fine.skip, left: fine.left };
}

/** Passes over whole spans, newest first, as long as there are that many fees to skip. */
async function pass(
  views: Views,
  filter: FeeFilter,
  spans: readonly Spans[],
  skip: number,
): Promise<{ readonly span: string; readonly skip: number; readonly left: number } | null> {
  let left = skip;
  let span: string | null = null;
  let count = 0;
  // All buckets of a span follow each other.
  for await (const bucket of latestTotalBuckets(views, spans, filter.merchantSlug)) {
    if (bucket.span !== span) {
      if (left < count) break;
      left -= count;
      span = bucket.span;
      count = 0;
    }
    count += countIn(bucket, filter);
  }
  return span !== null && left < count ? { span, skip: left, left: count - left } : null;
}

function countIn(bucket: TotalBucket, { status, feeType }: FeeFilter): number {
  if (feeType !== undefined && bucket.fee_type !== feeType) return 0;
  return (status === undefined ? STATUSES : [status]).reduce(
    (count, each) => count + (bucket[each]?.count ?? 0),
    0,
  );
}
