import type { BillingPeriod } from '../../contracts/billing-period';
import type { Calendar } from '../../contracts/calendar';
import type { FeeEvent, FeeFacts } from '../../contracts/events/fee';
import type { FeeRow } from '../../contracts/http/billing-responses';
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
import { countFees, pageStart } from './fee-count';
import { isUnbounded, bounded, type DayRange } from './intervals';

type FeeDocument = Document &
  Omit<FeeRow, 'id'> & {
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

/** The row that an event has changed, as it was before; null when it has added the row. */
export function rowBefore(event: FeeEvent): { readonly id: string; readonly row: FeeRow | null } {
  const { fee, from } = statusChangeOf(event);
  return { id: fee.id, row: from && rowOf(documentOf(fee, from)) };
}

function documentOf(fee: FeeFacts, status: Status): FeeDocument {
  return {
    _id: fee.id,
    fee_type: fee.fee_type,
    collection_status: status,
    fee_amount: fee.fee_amount,
    gross_amount: fee.gross_amount,
    billing_period: fee.billing_period,
    created_at: fee.created_at,
    merchant_id: fee.merchant_id,
    merchant_name: fee.merchant_name,
    merchant_slug: fee.merchant_slug,
  };
}

const NEWEST_FIRST: readonly (readonly [string, Direction])[] = [['created_at', 'desc']];
const OLDEST_FIRST: readonly (readonly [string, Direction])[] = [['created_at', 'asc']];

function queryOf(
  { days, status, merchantSlug, feeType }: FeeFilter,
  calendar: Calendar,
): Omit<Query, 'limit'> {
  return {
    filter: {
      collection_status: status ?? { in: STATUSES },
      ...(merchantSlug !== undefined && { merchant_slug: merchantSlug }),
      ...(feeType !== undefined && { fee_type: feeType }),
      ...(!isUnbounded(days) && { created_at: created(days, calendar) }),
    },
    order: NEWEST_FIRST,
  };
}

function created(days: DayRange, calendar: Calendar): { readonly gte: string; readonly lt: string } {
  const { from, to } = bounded(days);
  const { from: gte, before: lt } = calendar.instants(from, to);
  return { gte, lt };
}

/** Fees that a page may skip by reading them; the start of a later page is looked up first. */
export const MAX_SKIP = 1_000;

/** A page, newest first, and the number of matching fees. A page past the end has no rows. */
export async function listFees(
  views: Views,
  calendar: Calendar,
  filter: FeeFilter,
  { page, pageSize }: { readonly page: number; readonly pageSize: number },
): Promise<{ readonly rows: readonly FeeRow[]; readonly total: number }> {
  const read = async (days: DayRange, from: Pick<Query, 'order' | 'skip'>): Promise<FeeRow[]> => {
    const query = { ...queryOf({ ...filter, days }, calendar), ...from, limit: pageSize };
    return (await views.find<FeeDocument>(FEE_LEDGER.name, query)).documents.map(rowOf);
  };
  const total = await countFees(views, filter);
  const skip = (page - 1) * pageSize;
  if (skip >= total) return { rows: [], total };
  if (skip <= MAX_SKIP) return { rows: await read(filter.days, { order: NEWEST_FIRST, skip }), total };
  const start = await pageStart(views, filter, skip);
  if (!start) return { rows: [], total };
  const { day } = start;
  const older = start.left - pageSize;
  if (older < 0 || start.skip <= older)
    return {
      rows: await read({ from: filter.days.from, to: day }, { order: NEWEST_FIRST, skip: start.skip }),
      total,
    };
  // The whole page is of one day, nearer to its beginning.
  const rows = await read({ from: day, to: day }, { order: OLDEST_FIRST, skip: older });
  return { rows: rows.reverse(), total };
}

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
  calendar: Calendar,
  filter: FeeFilter,
  after: RowKey | null = null,
): AsyncIterable<readonly FeeRow[]> {
  const { filter: conditions, order } = queryOf(filter, calendar);
  const query = {
    filter: { ...conditions, ...(after && { created_at: notLater(conditions!['created_at'], after) }) },
    order: order!,
    limit: SCAN_PAGE_SIZE,
  };
  for await (const page of views.scan<FeeDocument>(FEE_LEDGER.name, query)) {
    const rows = page.map(rowOf);
    // Rows of the same instant may come before it.
    yield after ? rows.filter(row => compareRows(row, after) > 0) : rows;
  }
}

const notLater = (range: Filter[string] | undefined, { created_at: lte }: RowKey): Filter[string] => ({
  ...(range as object | undefined),
  lte,
});

/** Whether a row is one of those that a scan yields. */
export function matchesFilter(
  row: FeeRow,
  { days, status, merchantSlug, feeType }: FeeFilter,
  calendar: Calendar,
) {
  const { gte, lt } = isUnbounded(days) ? { gte: '', lt: '~' } : created(days, calendar);
  return (
    (status === undefined || row.collection_status === status) &&
    (merchantSlug === undefined || row.merchant_slug === merchantSlug) &&
    (feeType === undefined || row.fee_type === feeType) &&
    row.created_at >= gte &&
    row.created_at < lt
  );
}

const rowOf = ({ _id, collected_position: _, reversed_position: __, ...fee }: FeeDocument): FeeRow =>
  ({ id: _id, ...fee }) as FeeRow;

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
