import { Tally } from '../../../projections/billing/totals';
import { LatestNames } from '../../../projections/billing/latest-names';
import { MERCHANTS } from '../../../projections/billing/merchants';
import { merchantBuckets } from '../../../projections/billing/revenue-buckets';
import { periodOfInterval, intervalsOf, bounded } from '../../../projections/billing/intervals';
import { waitUntilFolded } from '../../commands/wait-until-folded';
import { snapshot, type SnapshotDeps } from '../report/snapshot';
import type { MerchantSums } from './balance';

const ALL_MONTHS = intervalsOf(bounded({ from: null, to: null }));

/**
 * The collected fees of a merchant by month, with everything acknowledged before the call, and its latest name. Null when
 * it has no fees.
 * @throws Problem 503 when the projection is behind
 */
export async function merchantSums(deps: SnapshotDeps, merchantId: string): Promise<MerchantSums | null> {
  const { buckets, ledgerPosition } = await snapshot(deps, () =>
    merchantBuckets(deps.views, ALL_MONTHS, merchantId),
  );
  if (buckets.length === 0) return null;
  const tallies = new Map<string, Tally>();
  const names = new LatestNames();
  for (const bucket of buckets) {
    const period = periodOfInterval(bucket.interval);
    tallies.set(period, (tallies.get(period) ?? new Tally()).add(bucket.collected));
    names.addBucket(bucket);
  }
  await waitUntilFolded(deps.views, [MERCHANTS.name], ledgerPosition, deps.waitMs);
  await names.addMerchants(deps.views, [merchantId]);
  const periods = new Map(
    [...tallies].map(([period, { count, totalFee, totalGross }]) => [
      period,
      { feeCount: count, feesCollected: totalFee, grossCollected: totalGross },
    ]),
  );
  return { merchantId, merchantName: names.of(merchantId), periods, ledgerPosition };
}
