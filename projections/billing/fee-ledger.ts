import { dayAfter, type BillingPeriod, type Day } from '../../contracts/time/billing-period';
import type { FeeEvent, FeeFacts } from '../../contracts/events/fee';
import type { FeeRow } from '../../contracts/http/billing/responses';
import type {
  CollectionSpec,
  Direction,
  Document,
  Filter,
  IndexSpec,
  Query,
} from '../../contracts/ports/documents';
import type { Position } from '../../contracts/position';
import type { Views } from '../views';
import { statusChangeOf, STATUSES, Tally, type Status } from './totals';
import type { FeeFilter } from './fee-filter';
import { countFees, MAX_SKIP, pageStart } from './fee-count';
import { createdRange, type CreatedRange } from './created-range';
import { isUnbounded, type DayRange } from './intervals';

type FeeDocument = Document &
  Omit<FeeRow, 'id'> & {
    /** The day that was recorded with it, whatever zone the instance has by now. */
    readonly day: Day;
    /** Position of the event that collected the fee; absent before. */
    readonly collected_position?: Position;
    /** Position of the event that reversed the fee in place; absent before. */
    readonly reversed_position?: Position;
  };

/** The status is in every index: a list of all statuses merges the four. */
const newestBy = (...fields: string[]): IndexSpec => ({
  fields: [...fields.map(field => [field, 'asc'] as const), ['created_at', 'desc']],
});

export const FEE_LEDGER: CollectionSpec = {
  name: 'fee_ledger',
  indexes: [
    newestBy('collection_status'),
    newestBy('merchant_slug', 'collection_status'),
    newestBy('fee_type', 'collection_status'),
    newestBy('merchant_slug', 'fee_type', 'collection_status'),
    {
      fields: [
        ['billing_period', 'asc'],
        ['reversed_position', 'asc'],
      ],
    },
  ],
};

export function foldFee(
  before: Document | null,
  event: FeeEvent & { readonly position: Position },
): FeeDocument {
  const { fee, to } = statusChangeOf(event);
  const { position } = event;
  const collected = to === 'collected' ? position : (before as FeeDocument | null)?.collected_position;
  return {
    ...documentOf(fee, to),
    ...(collected !== undefined && { collected_position: collected }),
    ...(to === 'reversed' && { reversed_position: position }),
  };
}

/** The row that an event has changed. */
export function rowAfter(event: FeeEvent): FeeRow {
  const { fee, to } = statusChangeOf(event);
  return rowOf(documentOf(fee, to));
}

/** The row that an event has changed, as it was before; null when it has added the row. And the day of the row. */
export function rowBefore(event: FeeEvent): {
  readonly id: string;
  readonly row: FeeRow | null;
  readonly day: Day;
} {
  const { fee, from } = statusChangeOf(event);
  return { id: fee.id, row: from && rowOf(documentOf(fee, from)), day: fee.day };
}

function documentOf(fee: FeeFacts, status: Status): FeeDocument {
  return {
    _id: fee.id,
    fee_type: fee.fee_type,
    collection_status: status,
    fee_amount: fee.fee_amount,
    gross_amount: fee.gross_amount,
    billing_period: fee.billing_period,
    day: fee.day,
    created_at: fee.created_at,
    merchant_id: fee.merchant_id,
    merchant_name: fee.merchant_name,
    merchant_slug: fee.merchant_slug,
  };
}

const NEWEST_FIRST: readonly (readonly [string, Direction])[] = [['created_at', 'desc']];
const OLDEST_FIRST: readonly (readonly [string, Direction])[] = [['created_at', 'asc']];

function conditionsOf({ status, merchantSlug, feeType }: FeeFilter): Filter {
  return {
    collection_status: status ?? { in: STATUSES },
    ...(merchantSlug !== undefined && { merchant_slug: merchantSlug }),
    ...(feeType !== undefined && { fee_type: feeType }),
  };
}

/** A page, newest first, and the number of matching fees. A page past the end has no rows. */
export async function listFees(
  views: Views,
  filter: FeeFilter,
  { page, pageSize }: { readonly page: number; readonly pageSize: number },
): Promise<{ readonly rows: readonly FeeRow[]; readonly total: number }> {
  const total = await countFees(views, filter);
  const skip = (page - 1) * pageSize;
  if (skip >= total) return { rows: [], total };
  return { rows: await rowsFrom(views, filter, skip, pageSize), total };
}

async function rowsFrom(views: Views, filter: FeeFilter, skip: number, limit: number): Promise<FeeRow[]> {
  const read = async (
    created: CreatedRange | null,
    from: Pick<Query, 'order' | 'skip'>,
  ): Promise<FeeRow[]> => {
    const query = { filter: { ...conditionsOf(filter), ...createdIn(created) }, ...from, limit };
    return (await views.find<FeeDocument>(FEE_LEDGER.name, query)).documents.map(rowOf);
  };
  const rangeOf = (days: DayRange): Promise<CreatedRange> => createdRange(views, days, filter.merchantSlug);
  if (skip <= MAX_SKIP) {
    const created = isUnbounded(filter.days) ? null : await rangeOf(filter.days);
    return created?.isExact === false
      ? skippedRows(scanFees(views, filter), skip, limit)
      : read(created, { order: NEWEST_FIRST, skip });
  }
  const start = await pageStart(views, filter, skip);
  if (!start) return [];
  const { day } = start;
  const older = start.left - limit;
  if (older >= 0 && start.skip > older) {
    // The whole page is of one day, nearer to its beginning.
    const created = await rangeOf({ from: day, to: day });
    if (created.isExact) return (await read(created, { order: OLDEST_FIRST, skip: older })).reverse();
  }
  const created = await rangeOf({ from: filter.days.from, to: day });
  if (created.isExact) return read(created, { order: NEWEST_FIRST, skip: start.skip });
  // Rows of the next two days, and of no later one, may be among those of the page.
  const next = dayAfter(dayAfter(day));
  const to = filter.days.to !== null && filter.days.to < next ? filter.days.to : next;
  const ofNext = await countFees(views, { ...filter, days: { from: dayAfter(day), to } });
  const rows = scanFees(views, { ...filter, days: { from: filter.days.from, to } });
  return skippedRows(rows, start.skip + ofNext, limit);
}

async function skippedRows(
  pages: AsyncIterable<readonly FeeRow[]>,
  skip: number,
  limit: number,
): Promise<FeeRow[]> {
  const found: FeeRow[] = [];
  let left = skip;
  for await (const page of pages) {
    found.push(...page.slice(left, left + limit - found.length));
    left = Math.max(0, left - page.length);
    if (found.length === limit) break;
  }
  return found;
}

const createdIn = (range: Pick<CreatedRange, 'gte' | 'lte'> | null): Filter =>
  range ? { created_at: { gte: range.gte, lte: range.lte } } : {};

const notLater = (range: CreatedRange | null, { created_at }: RowKey): Pick<CreatedRange, 'gte' | 'lte'> => ({
  gte: range?.gte ?? '',
  lte: range && range.lte < created_at ? range.lte : created_at,
});

/** Small, so that the first rows are sent soon. */
const SCAN_PAGE_SIZE = 250;

/** The place of a row in the order of lists. */
export type RowKey = Pick<FeeRow, 'created_at' | 'id'>;

/** The order of lists: newest first, and of one instant by descending id. */
export function compareRows(a: RowKey, b: RowKey): number {
  if (a.created_at !== b.created_at) return a.created_at > b.created_at ? -1 : 1;
  return a.id === b.id ? 0 : a.id > b.id ? -1 : 1;
}

/** All matching fees, newest first, or those after a row; pages are read as they are consumed. */
export async function* scanFees(
  views: Views,
  filter: FeeFilter,
  after: RowKey | null = null,
): AsyncIterable<readonly FeeRow[]> {
  const { days, merchantSlug } = filter;
  const range = isUnbounded(days) ? null : await createdRange(views, days, merchantSlug);
  const query = {
    filter: { ...conditionsOf(filter), ...createdIn(after ? notLater(range, after) : range) },
    order: NEWEST_FIRST,
    limit: SCAN_PAGE_SIZE,
  };
  for await (const page of views.scan<FeeDocument>(FEE_LEDGER.name, query)) {
    const rows = page.filter(({ day }) => isWithin(day, days)).map(rowOf);
    // Rows of the same instant may come before it.
    yield after ? rows.filter(row => compareRows(row, after) > 0) : rows;
  }
}

const isWithin = (day: Day, { from, to }: DayRange): boolean =>
  (from === null || day >= from) && (to === null || day <= to);

/** Whether a row, of a day, is one of those that a scan yields. */
export function matchesFilter(
  row: FeeRow,
  day: Day,
  { days, status, merchantSlug, feeType }: FeeFilter,
): boolean {
  return (
    (status === undefined || row.collection_status === status) &&
    (merchantSlug === undefined || row.merchant_slug === merchantSlug) &&
    (feeType === undefined || row.fee_type === feeType) &&
    isWithin(day, days)
  );
}

const rowOf = ({
  _id,
  day: _,
  collected_position: __,
  reversed_position: ___,
  ...fee
}: FeeDocument): FeeRow => ({ id: _id, ...fee }) as FeeRow;

/**
 * The fees of a period that were collected up to a position and reversed in place after it. Reads those that were reversed
 * after it, whenever they were collected.
 */
export async function reversedSince(
  views: Views,
  billingPeriod: BillingPeriod,
  position: Position,
): Promise<Tally> {
  const reversed = new Tally();
  const pages = views.scan<FeeDocument>(FEE_LEDGER.name, {
    filter: { billing_period: billingPeriod, reversed_position: { gt: position } },
    order: [['reversed_position', 'asc']],
    limit: REVERSED_PAGE_SIZE,
  });
  for await (const page of pages)
    for (const fee of page) if (fee.collected_position! <= position) reversed.addFee(fee);
  return reversed;
}

const REVERSED_PAGE_SIZE = 1_000;
