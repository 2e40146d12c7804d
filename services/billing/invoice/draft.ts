import { Problem } from '../../../contracts/problem';
import type { Calendar } from '../../../contracts/calendar';
import type { InvoiceContent, InvoiceGenerated, InvoiceLine } from '../../../contracts/events/invoice';
import type { EventStore } from '../../../infra/event-store/port';
import { Tally } from '../../../projections/billing/bucket';
import {
  merchantBuckets,
  REVENUE_BY_MERCHANT,
  type MerchantBucket,
} from '../../../projections/billing/revenue-buckets';
import { daysOf, spansOf } from '../../../projections/billing/spans';
import type { Views } from '../../../projections/views';
import { caughtUp } from '../freshness';

type Draft = Omit<InvoiceContent, 'invoiceId' | 'replacesInvoiceId'> &
  Pick<InvoiceGenerated, 'reversedBefore'>;

export interface DraftDeps {
  readonly store: Pick<EventStore, 'head'>;
  readonly views: Views;
  readonly calendar: Calendar;
  readonly currency: string;
  readonly patience: number;
}

/**
 * The collected fees of a period as they are now, with all that was acknowledged before the call.
 * @throws Problem 422 when there are none, 503 when the sums are not there yet
 */
export async function draft(deps: DraftDeps, billingPeriod: string): Promise<Draft> {
  const head = await deps.store.head();
  await caughtUp(deps.views, [REVENUE_BY_MERCHANT.name], head, deps.patience);
  const buckets = await stable(() => collect(deps.views, billingPeriod));

  const all = new Tally();
  const reversed = new Tally();
  for (const bucket of buckets) {
    all.add(bucket.collected);
    reversed.add(bucket.reversed);
  }
  if (all.count === 0)
    throw new Problem(422, 'no_collected_fees', `There are no collected fees in ${billingPeriod}.`);

  const { from, before } = deps.calendar.instantsOf(billingPeriod);
  return {
    billingPeriod,
    currency: deps.currency,
    timeZone: deps.calendar.timeZone,
    periodStart: from,
    periodEnd: before,
    ledgerPosition: buckets.reduce((latest, { position }) => Math.max(latest, position), head),
    feeCount: all.count,
    totalFee: all.totalFee,
    totalGross: all.totalGross,
    lines: linesOf(buckets),
    reversedBefore: { feeCount: reversed.count, totalFee: reversed.totalFee },
  };
}

const collect = async (views: Views, billingPeriod: string): Promise<MerchantBucket[]> => {
  const buckets: MerchantBucket[] = [];
  for await (const bucket of merchantBuckets(views, spansOf(daysOf({ billingPeriod })))) buckets.push(bucket);
  return buckets;
};

const LOOKS = 20;

/**
 * Buckets are read in pages while fees go on being folded. Two readings that are alike are a snapshot: nothing changed
 * between the end of the first and the start of the second, so all of it stood there at one position.
 */
async function stable(read: () => Promise<MerchantBucket[]>): Promise<MerchantBucket[]> {
  let before = await read();
  for (let look = 1; look <= LOOKS; look++) {
    const now = await read();
    if (alike(before, now)) return now;
    before = now;
  }
  throw new Problem(503, 'not_ready', 'Fees are coming in too fast for a snapshot; try again.', {
    headers: { 'Retry-After': '1' },
  });
}

const alike = (a: readonly MerchantBucket[], b: readonly MerchantBucket[]): boolean =>
  a.length === b.length &&
  a.every(({ _id, position }, i) => _id === b[i]!._id && position === b[i]!.position);

/** One line for each merchant and fee type, in that order, under the name and slug of the fee recorded last. */
function linesOf(buckets: readonly MerchantBucket[]): InvoiceLine[] {
  const lines = new Map<string, { latest: MerchantBucket; tally: Tally }>();
  for (const bucket of buckets) {
    if (!bucket.collected?.count) continue;
    const key = `${bucket.merchant_id}|${bucket.fee_type}`;
    const line = lines.get(key) ?? { latest: bucket, tally: new Tally() };
    if (bucket.named_at > line.latest.named_at) line.latest = bucket;
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
