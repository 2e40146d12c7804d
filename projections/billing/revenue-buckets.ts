import { periodOf } from '../../contracts/billing-period';
import type { FeeEvent } from '../../contracts/events/fee';
import type { CollectionSpec, Document } from '../../infra/documents/port';
import type { DocumentKey } from '../projection';
import type { Views } from '../views';
import { moved, type Cells } from './bucket';
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
  ],
};

const recall = createRecall<readonly DocumentKey[]>(1_000);

/** The buckets that count a fee: its day, its month and all time, with and without its merchant. */
export function bucketsOf({ data }: FeeEvent): readonly DocumentKey[] {
  const { fee_type, day } = data;
  const merchant = `${data.merchant_id}|${data.merchant_slug}|${fee_type}`;
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
  const naming = events.findLast(({ type }) => type === 'FeeRecorded') ?? (bucket ? null : events[0]!);
  const named = naming && { merchant_name: naming.data.merchant_name, named_at: naming.position };
  return { ...before, ...named, position, ...moved(bucket ?? NONE, events) } as MerchantBucket;
}

const PAGE = 1_000;

/** The buckets of the spans, or those of one merchant's slug, in the order of the spans. */
export async function* totalBuckets(
  views: Views,
  spans: readonly Spans[],
  merchantSlug?: string,
): AsyncIterable<TotalBucket> {
  const [collection, filter] =
    merchantSlug === undefined
      ? [REVENUE_TOTALS.name, {}]
      : [REVENUE_BY_MERCHANT.name, { merchant_slug: merchantSlug }];
  for (const span of spans) {
    const query = { filter: { ...filter, span }, order: BY_SPAN, limit: PAGE };
    for await (const page of views.scan<TotalBucket>(collection, query)) yield* page;
  }
}

/** The buckets of all merchants. */
export async function* merchantBuckets(views: Views, spans: readonly Spans[]): AsyncIterable<MerchantBucket> {
  for (const span of spans) {
    const query = { filter: { span }, order: BY_SPAN, limit: PAGE };
    for await (const page of views.scan<MerchantBucket>(REVENUE_BY_MERCHANT.name, query)) yield* page;
  }
}

const BY_SPAN = [['span', 'asc']] as const;
