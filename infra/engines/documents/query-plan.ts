import {
  type Direction,
  type IndexSpec,
  type Query,
  UnanswerableQuery,
} from '../../../contracts/ports/documents';
import { type ParsedFilter, parseFilter } from './filter';

export type OrderTerm = readonly [field: string, direction: Direction];

export interface QueryPlan extends ParsedFilter {
  /** Null: the documents by `_id`. */
  readonly index: IndexSpec | null;
  /** The total order of the result: without fields that are fixed to one value, and with `_id` last. */
  readonly order: readonly OrderTerm[];
}

/** Each combination of `in` values is read separately and merged. */
const MAX_BRANCHES = 100;
const MAX_LIMIT = 10_000;

/** The complete order of an index, with `_id` as the tie-breaker. */
export function orderOf({ fields }: IndexSpec): readonly OrderTerm[] {
  const [field, direction] = fields.at(-1)!;
  return field === '_id' ? fields : [...fields, ['_id', direction]];
}

const BY_ID: readonly OrderTerm[] = [['_id', 'asc']];

/** The index starts with the fields of the equalities, in any order, followed by the order of the query, in either direction. */
const answers = (
  terms: readonly OrderTerm[],
  { equals, range }: ParsedFilter,
  order: readonly OrderTerm[],
): boolean => {
  const rest = terms.slice(equals.size);
  const ordered = order.filter(([field]) => !equals.has(field));
  return (
    terms.length === equals.size + ordered.length &&
    terms.slice(0, equals.size).every(([field]) => equals.has(field)) &&
    rest.every(([field], i) => field === ordered[i]![0]) &&
    new Set(rest.map(([, direction], i) => direction === ordered[i]![1])).size <= 1 &&
    (!range || rest[0]?.[0] === range.field)
  );
};

const totalOrder = (order: readonly OrderTerm[], equals: ParsedFilter['equals']): readonly OrderTerm[] => {
  const fields = order.map(([field]) => field);
  if (new Set(fields).size < fields.length) throw new UnanswerableQuery('the order has a duplicate field');
  if (fields.slice(0, -1).includes('_id')) throw new UnanswerableQuery('the order has a field after _id');
  const tieBreaker: OrderTerm = ['_id', order.at(-1)?.[1] ?? 'asc'];
  const total = fields.includes('_id') ? order : [...order, tieBreaker];
  return total.filter(([field]) => equals.get(field)?.length !== 1);
};

const show = (terms: readonly OrderTerm[]): string => `(${terms.map(term => term.join(' ')).join(', ')})`;

/**
 * Finds the index that answers a query with one contiguous read, without a sort and without skipping entries.
 * @throws UnanswerableQuery when there is none, or the query is malformed
 */
export function planQuery(query: Query, indexes: readonly IndexSpec[]): QueryPlan {
  const { filter = {}, limit, skip = 0 } = query;
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    throw new UnanswerableQuery(`limit must be an integer from 1 to ${MAX_LIMIT}`);
  if (!Number.isSafeInteger(skip) || skip < 0)
    throw new UnanswerableQuery('skip must be a non-negative integer');
  const parsed = parseFilter(filter);
  const branches = [...parsed.equals.values()].reduce((product, values) => product * values.length, 1);
  if (branches > MAX_BRANCHES)
    throw new UnanswerableQuery(`more than ${MAX_BRANCHES} combinations of in values`);
  const order = totalOrder(query.order ?? [], parsed.equals);

  if (answers(BY_ID, parsed, order)) return { ...parsed, index: null, order };
  const index = indexes.find(candidate => answers(orderOf(candidate), parsed, order));
  if (index) return { ...parsed, index, order };
  throw new UnanswerableQuery(
    `no index for equalities on (${[...parsed.equals.keys()].join(', ')}), ` +
      `range on ${parsed.range?.field ?? 'nothing'}, order ${show(order)}; ` +
      `available: ${indexes.map(spec => show(orderOf(spec))).join(' ') || 'none'}`,
  );
}
