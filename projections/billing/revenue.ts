import type { BillingPeriod } from '../../contracts/billing-period';
import type { Revenue } from '../../contracts/http/billing-answers';
import type { Views } from '../views';
import { LatestNames } from './latest-names';
import { STATUSES, Tally, type Status } from './bucket';
import { merchantBuckets, totalBuckets } from './revenue-buckets';
import { daysOf, FOREVER, isForever, spansOf, type DayRange } from './spans';

/**
 * Sums by fee type and status, and by merchant; both are made of the same buckets and so agree. A merchant goes by its
 * latest name, whatever the days: that of the fee recorded last, or the one it was given itself since.
 */
export async function revenue(views: Views, days: DayRange): Promise<Revenue> {
  const types = new Map<string, Record<Status, Tally>>();
  const merchants = new Map<string, Record<Status, Tally>>();
  const names = new LatestNames();
  for await (const bucket of merchantBuckets(views, spansOf(days))) {
    const type = emplace(types, bucket.fee_type, tallies);
    const merchant = emplace(merchants, bucket.merchant_id, tallies);
    names.call(bucket);
    for (const status of STATUSES) {
      type[status].add(bucket[status]);
      merchant[status].add(bucket[status]);
    }
  }
  if (!isForever(days))
    for await (const bucket of merchantBuckets(views, spansOf(FOREVER))) names.call(bucket);
  await names.callAsGiven(views, merchants.keys());

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
    byMerchant: sorted(merchants).map(([merchant_id, of]) => ({
      merchant_id,
      merchant_name: names.of(merchant_id),
      fee_count: STATUSES.reduce((count, status) => count + of[status].count, 0),
      collected: of.collected.totalFee,
      pending: of.pending.totalFee,
    })),
  };
}

const tallies = (): Record<Status, Tally> => ({
  collected: new Tally(),
  pending: new Tally(),
  reversed: new Tally(),
  waived: new Tally(),
});

function emplace<V>(map: Map<string, V>, key: string, make: () => V): V {
  const there = map.get(key);
  if (there !== undefined) return there;
  const made = make();
  map.set(key, made);
  return made;
}

const sorted = <V>(map: Map<string, V>): [string, V][] => [...map].sort(([a], [b]) => (a < b ? -1 : 1));

/** The fees of a period that are collected now, and those that once were. */
export async function collectedAndReversed(
  views: Views,
  billingPeriod: BillingPeriod,
): Promise<{ readonly collected: Tally; readonly reversed: Tally }> {
  const collected = new Tally();
  const reversed = new Tally();
  for await (const bucket of totalBuckets(views, spansOf(daysOf({ billingPeriod })))) {
    collected.add(bucket.collected);
    reversed.add(bucket.reversed);
  }
  return { collected, reversed };
}
