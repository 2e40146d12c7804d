import type { Db, Filter as MongoFilter, ReadPreferenceMode } from 'mongodb';
import type { Document, Page, Query } from '../../../../contracts/ports/documents';
import type { FieldCondition, IndexRange } from '../index-ranges';
import { paginate } from '../pagination';
import type { QueryPlan } from '../query-plan';
import type { Collection } from '../collection';
import { fromStored, indexKeys, sortKeys, type StoredDocument } from './stored-document';

/** One page. @throws UnanswerableQuery, InvalidCursor */
export async function findPage<D extends Document>(
  db: Db,
  { name, indexes }: Collection,
  query: Query,
  readPreference: ReadPreferenceMode,
): Promise<Page<D>> {
  const { plan, ranges, skip, page } = paginate(name, indexes, query);
  const documents: D[] = [];
  for (const filter of ranges.flatMap(range => filtersOf(plan, range))) {
    const found = db
      .collection<StoredDocument>(name)
      .find(filter, { readPreference, hint: indexKeys(plan.index) })
      .sort(sortKeys(plan.order))
      .skip(skip)
      .limit(query.limit + 1 - documents.length);
    for await (const stored of found) documents.push(fromStored<D>(stored));
    if (documents.length > query.limit) break;
  }
  return page(documents);
}

type Condition = Record<string, unknown>;

/** The types of values in MongoDB's order, each with a condition that all values of the type meet. */
const TYPES: readonly (readonly [type: string, all: Condition])[] = [
  ['number', { $gte: -Infinity }],
  ['string', { $gte: '' }],
  ['boolean', { $gte: false }],
];

/** MongoDB compares within one type only: after a value come the rest of its type, and then the other types. */
const conditionsOf = ({ operator, value }: FieldCondition, sameTypeOnly: boolean): Condition[] => {
  if (operator === '=') return [{ $eq: value }];
  if (value === null) return [{ $ne: null }];
  const same = { [operator === '>' ? '$gt' : '$lt']: value };
  const rank = TYPES.findIndex(([type]) => type === typeof value);
  if (sameTypeOnly) return [same];
  const others = operator === '>' ? TYPES.slice(rank + 1) : TYPES.slice(0, rank).reverse();
  return [same, ...others.map(([, all]) => all)];
};

/** The filters of a range, to be read in order. Only its last condition can be an inequality. */
function filtersOf(plan: QueryPlan, { equals, conditions }: IndexRange): MongoFilter<StoredDocument>[] {
  const { range } = plan;
  const fixed: Condition[] = [
    ...Array.from(equals, ([field, $in]) => ({ [field]: { $in } })),
    ...(range?.bounds ?? []).map(({ comparison, value }) => ({
      [range!.field]: { [`$${comparison}`]: value },
    })),
    ...conditions.slice(0, -1).map(({ field, value }) => ({ [field]: { $eq: value } })),
  ];
  const last = conditions.at(-1);
  const ends = last
    ? conditionsOf(last, last.field === '_id' || last.field === range?.field).map(condition => ({
        [last.field]: condition,
      }))
    : [{}];
  return ends.map(end => ({ $and: [...fixed, end] }) as MongoFilter<StoredDocument>);
}
