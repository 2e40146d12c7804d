import { dayAfter, dayBefore, type Day } from '../../contracts/time/billing-period';
import type { Views } from '../views';
import { bounded, dayInterval, type DayRange } from './intervals';
import { totalBuckets } from './revenue-buckets';

/** When the rows of some days were created: RFC 3339 UTC instants, both included. */
export interface CreatedRange {
  readonly gte: string;
  readonly lte: string;
  /** Whether no row of another day was created between them. */
  readonly isExact: boolean;
}

/**
 * Where the rows of the days are in the order of their creation. A row is of the day that was recorded with it, and days
 * need not follow each other in that order: clocks go back over midnight in some zones (St John's, 2009-11-01 00:01), and the
 * zone of an instance may change. So it is derived from the first and the last row of the days at both ends, and not from a
 * calendar. The day of a row is that of its instant in UTC or a neighbour of it, so that days which are three apart never overlap.
 */
export async function createdRange(
  views: Views,
  days: DayRange,
  merchantSlug: string | undefined,
): Promise<CreatedRange> {
  const { from, to } = bounded(days);
  const [second, last] = [dayAfter(from), dayBefore(to)];
  /** Of the rows before, of, and after the days. */
  let lastBefore = '';
  let first = `${second}T00:00:00.000Z`;
  let end = `${to}T00:00:00.000Z`;
  let firstAfter = '~';
  const edges = [
    { gte: dayInterval(dayBefore(dayBefore(from))), lte: dayInterval(second) },
    { gte: dayInterval(last), lte: dayInterval(dayAfter(dayAfter(to))) },
  ];
  for await (const { interval, extent } of totalBuckets(views, edges, merchantSlug)) {
    const day: Day = interval.slice(1);
    if (day < from) lastBefore = latest(lastBefore, extent!.last);
    else if (day > to) firstAfter = earliest(firstAfter, extent!.first);
    else {
      first = earliest(first, extent!.first);
      end = latest(end, extent!.last);
    }
  }
  return { gte: first, lte: end, isExact: lastBefore < first && firstAfter > end };
}

const earliest = (a: string, b: string): string => (a < b ? a : b);
const latest = (a: string, b: string): string => (a > b ? a : b);
