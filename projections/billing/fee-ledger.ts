import type { Calendar } from '../../contracts/calendar';
import type { FeeEvent } from '../../contracts/events/fee';
import type { FeeRow } from '../../contracts/http/billing-answers';
import type { CollectionSpec, Direction, Document, IndexSpec, Query } from '../../contracts/ports/documents';
import type { Views } from '../views';
import { moveOf, STATUSES } from './bucket';
import type { FeeFilter } from './fee-filter';
import { countFees, pageStart } from './fee-count';
import { isForever, within, type DayRange } from './spans';

type FeeDocument = Document & Omit<FeeRow, 'id'>;

/** Status stands in every index: a list of any status is the merge of the four. */
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
  ],
};

export function foldFee(event: FeeEvent): FeeDocument {
  const { fee, to } = moveOf(event);
  return {
    _id: fee.id,
    fee_type: fee.fee_type,
    collection_status: to,
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
      ...(!isForever(days) && { created_at: created(days, calendar) }),
    },
    order: NEWEST_FIRST,
  };
}

function created(days: DayRange, calendar: Calendar): { readonly gte: string; readonly lt: string } {
  const { from, to } = within(days);
  const { from: gte, before: lt } = calendar.instants(from, to);
  return { gte, lt };
}

/** Fees that a page may skip by reading past them; further down its place is looked up first. */
export const NEAR = 1_000;

/** One page, newest first, and how many fees match in all. A page past the end has no rows. */
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
  if (skip <= NEAR) return { rows: await read(filter.days, { order: NEWEST_FIRST, skip }), total };
  const start = await pageStart(views, filter, skip);
  if (!start) return { rows: [], total };
  const { day } = start;
  const older = start.left - pageSize;
  if (older < 0 || start.skip <= older)
    return {
      rows: await read({ from: filter.days.from, to: day }, { order: NEWEST_FIRST, skip: start.skip }),
      total,
    };
  // All of the page is of one day, and nearer to its beginning.
  const rows = await read({ from: day, to: day }, { order: OLDEST_FIRST, skip: older });
  return { rows: rows.reverse(), total };
}

/** Rows read at once of very many: so few that the first of them are soon out. */
const STRETCH = 250;

/** Every matching fee, newest first, in pages read as they are consumed. */
export async function* scanFees(
  views: Views,
  calendar: Calendar,
  filter: FeeFilter,
): AsyncIterable<readonly FeeRow[]> {
  const query = { ...queryOf(filter, calendar), limit: STRETCH };
  for await (const page of views.scan<FeeDocument>(FEE_LEDGER.name, query)) yield page.map(rowOf);
}

const rowOf = ({ _id, ...fee }: FeeDocument): FeeRow => ({ id: _id, ...fee }) as FeeRow;
