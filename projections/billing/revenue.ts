import type { BillingPeriod } from '../../contracts/time/billing-period';
import type { Revenue } from '../../contracts/http/billing/responses';
import type { Views } from '../views';
import { LatestNames } from './latest-names';
import { STATUSES, Tally, type Status } from './totals';
import { merchantBuckets, totalBuckets } from './revenue-buckets';
import { daysOf, ALL_DAYS, isUnbounded, intervalsOf, type DayRange } from './intervals';

/**
 * Sums by fee type and status, and by merchant; both are computed from the same buckets, so they agree. A merchant has its
 * latest name, also when that is not of the days: that of its last recorded fee, or the one set since.
 */
export async function revenue(views: Views, days: DayRange): Promise<Revenue> {
  const types = new Map<string, Record<Status, Tally>>();
  const merchants = new Map<string, Record<Status, Tally>>();
  const names = new LatestNames();
  for await (const bucket of merchantBuckets(views, intervalsOf(days))) {
    const type = emplace(types, bucket.fee_type, tallies);
    const merchant = emplace(merchants, bucket.merchant_id, tallies);
    names.addBucket(bucket);
    for (const status of STATUSES) {
      type[status].add(bucket[status]);
      merchant[status].add(bucket[status]);
    }
  }
  if (!isUnbounded(days))
    for await (const bucket of merchantBuckets(views, intervalsOf(ALL_DAYS))) names.addBucket(bucket);
  await names.addMerchants(views, merchants.keys());

  return {
    summary: sorted(types).flatMap(([fee_type, byStatus]) =>
      STATUSES.filter(status => byStatus[status].count > 0).map(status => ({
        fee_type,
        collection_status: status,
        count: byStatus[status].count,
        total_fee: byStatus[status].totalFee,
        total_gross: byStatus[status].totalGross,
      })),
    ),
    byMerchant: sorted(merchants).map(([merchant_id, byStatus]) => ({
      merchant_id,
      merchant_name: names.of(merchant_id),
      fee_count: STATUSES.reduce((count, status) => count + byStatus[status].count, 0),
      collected: byStatus.collected.totalFee,
      pending: byStatus.pending.totalFee,
    })),
  };
}

const tallies = (): Record<Status, Tally> => ({
  collected: new Tally(),
  pending: new Tally(),
  reversed: new Tally(),
  waived: new Tally(),
});

function emplace<V>(map: Map<string, V>, key: string, create: () => V): V {
  const existing = map.get(key);
  if (existing !== undefined) return existing;
  const created = create();
  map.set(key, created);
  return created;
}

const sorted = <V>(map: Map<string, V>): [string, V][] => [...map].sort(([a], [b]) => (a < b ? -1 : 1));

/** The collected and the reversed fees of a period. */
export async function collectedAndReversed(
  views: Views,
  billingPeriod: BillingPeriod,
): Promise<{ readonly collected: Tally; readonly reversed: Tally }> {
  const collected = new Tally();
  const reversed = new Tally();
  for await (const bucket of totalBuckets(views, intervalsOf(daysOf({ billingPeriod })))) {
    collected.add(bucket.collected);
    reversed.add(bucket.reversed);
  }
  return { collected, reversed };
}
