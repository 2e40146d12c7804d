import { Tally } from '../../../projections/billing/bucket';
import { LatestNames } from '../../../projections/billing/latest-names';
import { MERCHANTS } from '../../../projections/billing/merchants';
import { merchantBuckets } from '../../../projections/billing/revenue-buckets';
import { periodOfSpan, spansOf, within } from '../../../projections/billing/spans';
import { caughtUp } from '../freshness';
import { snapshot, type SnapshotDeps } from '../snapshot';
import type { MerchantSums } from './balance';

const EVERY_MONTH = spansOf(within({ from: null, to: null }));

/**
 * What of a merchant's fees is collected, by month, with all that was acknowledged before the call; under its
 * latest name. Null where there never was a fee.
 * @throws Problem 503 when the sums are not there yet
 */
export async function merchantSums(deps: SnapshotDeps, merchantId: string): Promise<MerchantSums | null> {
  const { buckets, ledgerPosition } = await snapshot(deps, () =>
    merchantBuckets(deps.views, EVERY_MONTH, merchantId),
  );
  if (buckets.length === 0) return null;
  const tallies = new Map<string, Tally>();
  const names = new LatestNames();
  for (const bucket of buckets) {
    const period = periodOfSpan(bucket.span);
    tallies.set(period, (tallies.get(period) ?? new Tally()).add(bucket.collected));
    names.call(bucket);
  }
  await caughtUp(deps.views, [MERCHANTS.name], ledgerPosition, deps.patience);
  await names.callAsGiven(deps.views, [merchantId]);
  const periods = new Map(
    [...tallies].map(([period, { count, totalFee, totalGross }]) => [
      period,
      { feeCount: count, feesCollected: totalFee, grossCollected: totalGross },
    ]),
  );
  return { merchantId, merchantName: names.of(merchantId), periods, ledgerPosition };
}
