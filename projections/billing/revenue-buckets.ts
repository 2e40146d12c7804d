import { periodOf } from '../../contracts/billing-period';
import type { FeeEvent, FeeFacts } from '../../contracts/events/fee';
import { BEGINNING } from '../../contracts/position';
import type { CollectionSpec, Document, Query } from '../../contracts/ports/documents';
import type { DocumentKey } from '../projection';
import type { Views } from '../views';
import { moved, moveOf, type Cells } from './bucket';
import { createRecall } from './recall';
import { ALWAYS, spanOfDay, spanOfMonth, type Spans } from './spans';

/** Sums of one span and fee type. */
export type TotalBucket = Document & Cells & { readonly span: string; readonly fee_type: string };

/** Sums of one span, merchant and fee type; a merchant that changes its slug begins a new one. */
export type MerchantBucket = TotalBucket & {
  readonly merchant_id: string;
  readonly merchant_slug: string;
  /** As the fee recorded last says. */
  readonly merchant_name: string;
  /** Position of that; the beginning where there are only adjustments, which name nobody anew. */
  readonly named_at: number;
  /** Of the last event that changed it. */
  readonly position: number;
};

export const REVENUE_TOTALS: CollectionSpec = {
  name: 'revenue_totals',
  indexes: [{ fields: [['span', 'asc']] }],
};

export const REVENUE_BY_MERCHANT: CollectionSpec = {
  name: 'revenue_by_merchant',
  indexes: [
    { fields: [['span', 'asc']] },
    {
      fields: [
        ['merchant_slug', 'asc'],
        ['span', 'asc'],
      ],
    },
    {
      fields: [
        ['merchant_id', 'asc'],
        ['span', 'asc'],
      ],
    },
  ],
};

const recall = createRecall<readonly DocumentKey[]>(1_000);

/** The buckets that count a fee: its day, its month and all time, with and without its merchant. */
export function bucketsOf({ fee_type, day, merchant_id, merchant_slug }: FeeFacts): readonly DocumentKey[] {
  const merchant = `${merchant_id}|${merchant_slug}|${fee_type}`;
  // The length tells where the merchant ends and the fee type begins, whatever either holds.
  return recall(`${fee_type.length} ${day}|${merchant}`, () =>
    [spanOfDay(day), spanOfMonth(periodOf(day)), ALWAYS].flatMap(span => [
      { collection: REVENUE_TOTALS.name, id: `${span}|${fee_type}` },
      { collection: REVENUE_BY_MERCHANT.name, id: `${span}|${merchant}` },
    ]),
  );
}

const NONE: Cells = {};

const spanOf = (id: string): string => id.slice(0, id.indexOf('|'));

export function foldTotal(bucket: TotalBucket | null, events: readonly FeeEvent[], id: string): TotalBucket {
  const { fee_type } = events[0]!.data;
  const before = bucket ?? { _id: id, span: spanOf(id), fee_type };
  return { ...before, ...moved(bucket ?? NONE, events) };
}

export function foldMerchant(
  bucket: MerchantBucket | null,
  events: readonly (FeeEvent & { readonly position: number })[],
  id: string,
): MerchantBucket {
  const { merchant_id, merchant_slug, fee_type } = events[0]!.data;
  const { position } = events.at(-1)!;
  const before = bucket ?? { _id: id, span: spanOf(id), merchant_id, merchant_slug, fee_type };
  return {
    ...before,
    ...nameIn(bucket, events),
    position,
    ...moved(bucket ?? NONE, events),
  } as MerchantBucket;
}

function nameIn(
  bucket: MerchantBucket | null,
  events: readonly (FeeEvent & { readonly position: number })[],
): Pick<MerchantBucket, 'merchant_name' | 'named_at'> | null {
  const naming = events.findLast(({ type }) => type === 'FeeRecorded');
  if (naming) return { merchant_name: naming.data.merchant_name, named_at: naming.position };
  return bucket ? null : { merchant_name: moveOf(events[0]!).fee.merchant_name, named_at: BEGINNING };
}

const PAGE = 1_000;
const SMALL_PAGE = 64;

/** The buckets of the spans, or those of one merchant's slug, in the order of the spans. */
export async function* totalBuckets(
  views: Views,
  spans: readonly Spans[],
  merchantSlug?: string,
): AsyncIterable<TotalBucket> {
  for (const span of spans) yield* scanTotals(views, span, merchantSlug, { order: BY_SPAN, limit: PAGE });
}

/** The same from the latest span on, for who may not want them all: read in small pages. */
export async function* latestTotalBuckets(
  views: Views,
  spans: readonly Spans[],
  merchantSlug?: string,
): AsyncIterable<TotalBucket> {
  for (const span of [...spans].reverse())
    yield* scanTotals(views, span, merchantSlug, { order: LATEST_SPAN_FIRST, limit: SMALL_PAGE });
}

async function* scanTotals(
  views: Views,
  span: Spans,
  merchantSlug: string | undefined,
  how: Pick<Query, 'order' | 'limit'>,
): AsyncIterable<TotalBucket> {
  const [collection, filter] =
    merchantSlug === undefined
      ? [REVENUE_TOTALS.name, {}]
      : [REVENUE_BY_MERCHANT.name, { merchant_slug: merchantSlug }];
  const pages = views.scan<TotalBucket>(collection, { filter: { ...filter, span }, ...how });
  for await (const page of pages) yield* page;
}

/** The buckets of all merchants, or of one, in the order of the spans. */
export async function* merchantBuckets(
  views: Views,
  spans: readonly Spans[],
  merchantId?: string,
): AsyncIterable<MerchantBucket> {
  const filter = merchantId === undefined ? {} : { merchant_id: merchantId };
  for (const span of spans) {
    const query = { filter: { ...filter, span }, order: BY_SPAN, limit: PAGE };
    for await (const page of views.scan<MerchantBucket>(REVENUE_BY_MERCHANT.name, query)) yield* page;
  }
}

/** Every merchant that a fee was ever recorded for, once. */
export async function* merchantIds(views: Views): AsyncIterable<string> {
  let last: string | null = null;
  // The ids of a merchant's buckets begin alike, so they follow each other.
  for await (const { merchant_id } of merchantBuckets(views, [{ gte: ALWAYS, lte: ALWAYS }])) {
    if (merchant_id !== last) yield merchant_id;
    last = merchant_id;
  }
}

const BY_SPAN = [['span', 'asc']] as const;
const LATEST_SPAN_FIRST = [['span', 'desc']] as const;
