import { type Conditions, conditionsOf } from './conditions';
import {
  type Direction,
  type IndexSpec,
  type Query,
  UnanswerableQuery,
} from '../../../contracts/ports/documents';

export type Term = readonly [field: string, direction: Direction];

export interface Plan extends Conditions {
  /** Null: the documents by `_id`. */
  readonly index: IndexSpec | null;
  /** The total order of the answer: fields fixed to one value left out, `_id` last unless that is fixed itself. */
  readonly order: readonly Term[];
}

/** Each combination of `in` values is read by itself and merged. */
const MOST_BRANCHES = 100;
const MOST_DOCUMENTS = 10_000;

/** What an index is ordered by, to the last tie. */
export function termsOf({ fields }: IndexSpec): readonly Term[] {
  const [field, direction] = fields.at(-1)!;
  return field === '_id' ? fields : [...fields, ['_id', direction]];
}

const BY_ID: readonly Term[] = [['_id', 'asc']];

/** The equalities come first, in any order; then exactly the order asked for, forwards or backwards. */
const serves = (terms: readonly Term[], { equals, range }: Conditions, order: readonly Term[]): boolean => {
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

const totalOrder = (order: readonly Term[], equals: Conditions['equals']): readonly Term[] => {
  const fields = order.map(([field]) => field);
  if (new Set(fields).size < fields.length) throw new UnanswerableQuery(`ordered twice by one field`);
  if (fields.slice(0, -1).includes('_id')) throw new UnanswerableQuery('nothing is left to order after _id');
  const tie: Term = ['_id', order.at(-1)?.[1] ?? 'asc'];
  const total = fields.includes('_id') ? order : [...order, tie];
  return total.filter(([field]) => equals.get(field)?.length !== 1);
};

const show = (terms: readonly Term[]): string => `(${terms.map(term => term.join(' ')).join(', ')})`;

/**
 * Finds the index that answers a query from its first entry to its last, with nothing to sort and nothing to skip over.
 * @throws UnanswerableQuery when there is none, or the query is malformed
 */
export function planOf(query: Query, indexes: readonly IndexSpec[]): Plan {
  const { filter = {}, limit, skip = 0 } = query;
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_DOCUMENTS)
    throw new UnanswerableQuery(`a limit is a number from 1 to ${MOST_DOCUMENTS}`);
  if (!Number.isSafeInteger(skip) || skip < 0) throw new UnanswerableQuery('skip is a whole number');
  const conditions = conditionsOf(filter);
  const branches = [...conditions.equals.values()].reduce((product, values) => product * values.length, 1);
  if (branches > MOST_BRANCHES) throw new UnanswerableQuery(`more than ${MOST_BRANCHES} values of in`);
  const order = totalOrder(query.order ?? [], conditions.equals);

  if (serves(BY_ID, conditions, order)) return { ...conditions, index: null, order };
  const index = indexes.find(candidate => serves(termsOf(candidate), conditions, order));
  if (index) return { ...conditions, index, order };
  throw new UnanswerableQuery(
    `no index for equalities on (${[...conditions.equals.keys()].join(', ')}), ` +
      `range on ${conditions.range?.field ?? 'nothing'}, order ${show(order)}; ` +
      `there are ${indexes.map(spec => show(termsOf(spec))).join(' ') || 'none'}`,
  );
}
