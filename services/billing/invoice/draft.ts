import { Problem } from '../../../contracts/problem/problem';
import type { Calendar } from '../../../contracts/time/calendar';
import type { InvoiceContent, InvoiceGenerated, InvoiceLine } from '../../../contracts/events/invoice';
import { Tally } from '../../../projections/billing/totals';
import { merchantBuckets, type MerchantBucket } from '../../../projections/billing/revenue-buckets';
import { daysOf, intervalsOf } from '../../../projections/billing/intervals';
import { snapshot, type SnapshotDeps } from '../report/snapshot';

type Draft = Omit<InvoiceContent, 'invoiceId' | 'replacesInvoiceId'> &
  Pick<InvoiceGenerated, 'reversedBefore'>;

export interface DraftDeps extends SnapshotDeps {
  readonly calendar: Calendar;
  readonly currency: string;
}

/**
 * The collected fees of a period, with everything acknowledged before the call.
 * @throws Problem 422 when there are none, 503 when the projection is behind
 */
export async function draft(deps: DraftDeps, billingPeriod: string): Promise<Draft> {
  const intervals = intervalsOf(daysOf({ billingPeriod }));
  const { buckets, ledgerPosition } = await snapshot(deps, () => merchantBuckets(deps.views, intervals));

  const all = new Tally();
  const reversed = new Tally();
  for (const bucket of buckets) {
    all.add(bucket.collected);
    reversed.add(bucket.reversed);
  }
  if (all.count === 0)
    throw new Problem('no_collected_fees', `There are no collected fees in ${billingPeriod}.`);

  const { from, before } = deps.calendar.instantsOf(billingPeriod);
  return {
    billingPeriod,
    currency: deps.currency,
    timeZone: deps.calendar.timeZone,
    periodStart: from,
    periodEnd: before,
    ledgerPosition,
    feeCount: all.count,
    totalFee: all.totalFee,
    totalGross: all.totalGross,
    lines: linesOf(buckets),
    reversedBefore: { feeCount: reversed.count, totalFee: reversed.totalFee },
  };
}

/**
 * One line for each merchant and fee type, in that order. Of the names and slugs of its fees it has those with which a fee was
 * collected last, also if that fee was reversed since: a bucket does not say when its other fees were collected.
 */
function linesOf(buckets: readonly MerchantBucket[]): InvoiceLine[] {
  const lines = new Map<string, { latest: MerchantBucket; tally: Tally }>();
  for (const bucket of buckets) {
    if (!bucket.collected?.count) continue;
    const key = `${bucket.merchant_id}|${bucket.fee_type}`;
    const line = lines.get(key) ?? { latest: bucket, tally: new Tally() };
    if (bucket.collected_at > line.latest.collected_at) line.latest = bucket;
    line.tally.add(bucket.collected);
    lines.set(key, line);
  }
  return [...lines.values()]
    .sort(
      ({ latest: a }, { latest: b }) =>
        compare(a.merchant_id, b.merchant_id) || compare(a.fee_type, b.fee_type),
    )
    .map(({ latest, tally }) => ({
      merchantId: latest.merchant_id,
      merchantName: latest.merchant_name,
      merchantSlug: latest.merchant_slug,
      feeType: latest.fee_type,
      feeCount: tally.count,
      totalFee: tally.totalFee,
      totalGross: tally.totalGross,
    }));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
