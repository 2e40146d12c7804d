import { LRUCache } from 'lru-cache';
import { periodOf } from '../../contracts/time/billing-period';
import type { FeeEvent, FeeFacts } from '../../contracts/events/fee';
import { BEGINNING } from '../../contracts/position';
import type { CollectionSpec, Document, Query } from '../../contracts/ports/documents';
import type { DocumentKey } from '../projection';
import type { Views } from '../views';
import { applyFeeEvents, statusChangeOf, type Cells } from './totals';
import { ALL_TIME, dayInterval, isDayInterval, monthInterval, type IntervalRange } from './intervals';

/** Sums of an interval and a fee type. */
export type TotalBucket = Document &
  Cells & {
    readonly interval: string;
    readonly fee_type: string;
    /** Of a day: when its first and its last fee were created, RFC 3339 UTC. */
    readonly extent?: Extent;
  };

type Extent = { readonly first: string; readonly last: string };

/**
 * Sums of an interval, a merchant and a fee type; a merchant with a new slug or name gets a new bucket, so that the names
 * of fees of a status are known also after others changed theirs.
 */
export type MerchantBucket = TotalBucket & {
  readonly merchant_id: string;
  readonly merchant_slug: string;
  readonly merchant_name: string;
  /** Position of the fee recorded last; -1 when there are only adjustments, whose names do not count. */
  readonly named_at: number;
  /** Position of the fee collected last; -1 when there is none so far. */
  readonly collected_at: number;
  /** Position of the last event that changed the bucket. */
  readonly position: number;
};

export const REVENUE_TOTALS: CollectionSpec = {
  name: 'revenue_totals',
  indexes: [{ fields: [['interval', 'asc']] }],
};

export const REVENUE_BY_MERCHANT: CollectionSpec = {
  name: 'revenue_by_merchant',
  indexes: [
    { fields: [['interval', 'asc']] },
    {
      fields: [
        ['merchant_slug', 'asc'],
        ['interval', 'asc'],
      ],
    },
    {
      fields: [
        ['merchant_id', 'asc'],
        ['interval', 'asc'],
      ],
    },
  ],
};

/** Fees mostly arrive in the order of their days, and those of a day share a few buckets. */
const bucketCache = new LRUCache<string, readonly DocumentKey[]>({ max: 1_000 });

/** The buckets that count a fee: its day, its month and all time, with and without its merchant. */
export function bucketsOf({
  fee_type,
  day,
  merchant_id,
  merchant_slug,
  merchant_name,
}: FeeFacts): readonly DocumentKey[] {
  // Only the name may have a `|`.
  const merchant = `${merchant_id}|${merchant_slug}|${fee_type}|${merchant_name}`;
  // The length makes the key unambiguous for fee types and merchants of any characters.
  const cacheKey = `${fee_type.length} ${day}|${merchant}`;
  const cached = bucketCache.get(cacheKey);
  if (cached) return cached;
  const buckets = [dayInterval(day), monthInterval(periodOf(day)), ALL_TIME].flatMap(interval => [
    { collection: REVENUE_TOTALS.name, id: `${interval}|${fee_type}` },
    { collection: REVENUE_BY_MERCHANT.name, id: `${interval}|${merchant}` },
  ]);
  bucketCache.set(cacheKey, buckets);
  return buckets;
}

const NONE: Cells = {};

const intervalOf = (id: string): string => id.slice(0, id.indexOf('|'));

export function foldTotal(bucket: TotalBucket | null, events: readonly FeeEvent[], id: string): TotalBucket {
  const { fee_type } = events[0]!.data;
  const before = bucket ?? { _id: id, interval: intervalOf(id), fee_type };
  return { ...before, ...extentOf(before, events), ...applyFeeEvents(bucket ?? NONE, events) };
}

export function foldMerchant(
  bucket: MerchantBucket | null,
  events: readonly (FeeEvent & { readonly position: number })[],
  id: string,
): MerchantBucket {
  const { merchant_id, merchant_slug, merchant_name, fee_type } = statusChangeOf(events[0]!).fee;
  const before = bucket ?? {
    _id: id,
    interval: intervalOf(id),
    merchant_id,
    merchant_slug,
    merchant_name,
    fee_type,
    named_at: BEGINNING,
    collected_at: BEGINNING,
  };
  return {
    ...before,
    named_at: events.findLast(({ type }) => type === 'FeeRecorded')?.position ?? before.named_at,
    collected_at:
      events.findLast(event => statusChangeOf(event).to === 'collected')?.position ?? before.collected_at,
    position: events.at(-1)!.position,
    ...extentOf(before, events),
    ...applyFeeEvents(bucket ?? NONE, events),
  };
}

function extentOf(
  { interval, extent }: { readonly interval: string; readonly extent?: Extent },
  events: readonly FeeEvent[],
): { readonly extent?: Extent } {
  if (!isDayInterval(interval)) return {};
  let { first, last } = extent ?? { first: '~', last: '' };
  for (const event of events) {
    const { created_at } = statusChangeOf(event).fee;
    if (created_at < first) first = created_at;
    if (created_at > last) last = created_at;
  }
  return { extent: { first, last } };
}

const PAGE_SIZE = 1_000;
/** For readers that may stop early. */
const SMALL_PAGE_SIZE = 64;

/** The buckets of the intervals, of all merchants or of one slug, oldest interval first. */
export async function* totalBuckets(
  views: Views,
  intervals: readonly IntervalRange[],
  merchantSlug?: string,
): AsyncIterable<TotalBucket> {
  for (const interval of intervals)
    yield* scanTotals(views, interval, merchantSlug, { order: BY_INTERVAL, limit: PAGE_SIZE });
}

/** As `totalBuckets`, latest interval first and in small pages. */
export async function* latestTotalBuckets(
  views: Views,
  intervals: readonly IntervalRange[],
  merchantSlug?: string,
): AsyncIterable<TotalBucket> {
  for (const interval of [...intervals].reverse())
    yield* scanTotals(views, interval, merchantSlug, {
      order: LATEST_INTERVAL_FIRST,
      limit: SMALL_PAGE_SIZE,
    });
}

async function* scanTotals(
  views: Views,
  interval: IntervalRange,
  merchantSlug: string | undefined,
  options: Pick<Query, 'order' | 'limit'>,
): AsyncIterable<TotalBucket> {
  const [collection, filter] =
    merchantSlug === undefined
      ? [REVENUE_TOTALS.name, {}]
      : [REVENUE_BY_MERCHANT.name, { merchant_slug: merchantSlug }];
  const pages = views.scan<TotalBucket>(collection, { filter: { ...filter, interval }, ...options });
  for await (const page of pages) yield* page;
}

/** The buckets of all merchants or of one, oldest interval first. */
export async function* merchantBuckets(
  views: Views,
  intervals: readonly IntervalRange[],
  merchantId?: string,
): AsyncIterable<MerchantBucket> {
  const filter = merchantId === undefined ? {} : { merchant_id: merchantId };
  for (const interval of intervals) {
    const query = { filter: { ...filter, interval }, order: BY_INTERVAL, limit: PAGE_SIZE };
    for await (const page of views.scan<MerchantBucket>(REVENUE_BY_MERCHANT.name, query)) yield* page;
  }
}

/** Every merchant with a recorded fee, once. */
export async function* merchantIds(views: Views): AsyncIterable<string> {
  let last: string | null = null;
  // The buckets of a merchant are adjacent, since their ids have the same prefix.
  for await (const { merchant_id } of merchantBuckets(views, [{ gte: ALL_TIME, lte: ALL_TIME }])) {
    if (merchant_id !== last) yield merchant_id;
    last = merchant_id;
  }
}

/** The ids and slugs of all fees of a merchant, or of a slug. */
export async function merchantNames(
  views: Views,
  of: { readonly merchant_id: string } | { readonly merchant_slug: string },
): Promise<Pick<MerchantBucket, 'merchant_id' | 'merchant_slug'>[]> {
  const names: Pick<MerchantBucket, 'merchant_id' | 'merchant_slug'>[] = [];
  const query = { filter: { ...of, interval: ALL_TIME }, order: BY_INTERVAL, limit: PAGE_SIZE };
  for await (const page of views.scan<MerchantBucket>(REVENUE_BY_MERCHANT.name, query))
    names.push(...page.map(({ merchant_id, merchant_slug }) => ({ merchant_id, merchant_slug })));
  return names;
}

const BY_INTERVAL = [['interval', 'asc']] as const;
const LATEST_INTERVAL_FIRST = [['interval', 'desc']] as const;
