import type { Document, Page, Query, Scalar } from '../../../../contracts/ports/documents';
import type { Database } from '../../sqlite/database';
import type { Bound } from '../filter';
import type { FieldCondition, IndexRange } from '../index-ranges';
import { documentIn } from '../body';
import { paginate } from '../pagination';
import type { OrderTerm, QueryPlan } from '../query-plan';
import type { Collection } from './catalog';
import { type DocumentCache, readVersions, VERSION } from './document-cache';
import { type Key, keyOf } from './index-keys';
import { joinedBodies, readBodies } from './stored-text';
import { columnOf, indexName, quoted } from './tables';

/** Larger pages are parts of exports, which are read once. */
const MAX_CACHED = 200;

/**
 * One page. Of what the cache has, only the versions are read.
 * @throws UnanswerableQuery, InvalidCursor, DamagedData
 */
export function findPage<D extends Document>(
  db: Database,
  { name, indexes }: Collection,
  query: Query,
  cache: DocumentCache | null,
): Page<D> {
  const { plan, ranges, skip, page } = paginate(name, indexes, query);
  const select = (column: string, read: (joined: Buffer | null) => string[]): string[] => {
    const found: string[] = [];
    for (const range of ranges) {
      const sql = selectSql(name, plan, range, column, query.limit + 1 - found.length, skip);
      if (sql) found.push(...read(db.prepare<[Buffer | null]>(sql.text).get(sql.parameters)![0]));
      if (found.length > query.limit) break;
    }
    return found;
  };
  const cached = query.limit > MAX_CACHED ? null : cache?.read<D>(name, select(VERSION, readVersions));
  if (cached) return page(cached);
  return page(select('body', joined => readBodies(joined, name)).map(body => documentIn<D>(body)));
}

interface Sql {
  readonly text: string;
  readonly parameters: readonly Key[];
}

const OPERATORS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;
const isLower = ({ comparison }: Bound): boolean => comparison.startsWith('g');

const conditionSql = ({ field, operator, value }: FieldCondition): Sql => {
  const column = columnOf(field);
  if (value !== null) return { text: `${column} ${operator} ?`, parameters: [keyOf(value)] };
  return { text: `${column} ${operator === '=' ? 'IS NULL' : 'IS NOT NULL'}`, parameters: [] };
};

/** In SQLite all strings are greater than all numbers: the bound that keeps a range within the type of its values. */
const typeBounds = (bounds: readonly Bound[]): readonly Bound[] => {
  if (typeof bounds[0]!.value === 'string')
    return bounds.some(isLower) ? [] : [{ comparison: 'gte', value: '' }];
  return bounds.some(bound => !isLower(bound)) ? [] : [{ comparison: 'lt', value: '' }];
};

/** A bound on the side where a condition starts is only checked (`+column`): SQLite must seek by the condition. */
const rangeSql = ({ range }: QueryPlan, conditions: readonly FieldCondition[]): readonly Sql[] => {
  if (!range) return [];
  const start = conditions.find(({ field }) => field === range.field);
  const seeks = (bound: Bound): boolean =>
    !start || (start.operator !== '=' && (start.operator === '>') !== isLower(bound));
  return [...range.bounds, ...typeBounds(range.bounds)].map(bound => ({
    text: `${seeks(bound) ? '' : '+'}${columnOf(range.field)} ${OPERATORS[bound.comparison]} ?`,
    parameters: [keyOf(bound.value)],
  }));
};

const branchesOf = ({ equals }: IndexRange): FieldCondition[][] =>
  [...equals].reduce<FieldCondition[][]>(
    (branches, [field, values]) =>
      branches.flatMap(branch =>
        values.map((value: Scalar): FieldCondition[] => [...branch, { field, operator: '=', value }]),
      ),
    [[]],
  );

const orderSql = (order: readonly OrderTerm[], name: (field: string, i: number) => string): string =>
  order.length === 0
    ? ''
    : ` ORDER BY ${order.map(([field, direction], i) => `${name(field, i)} ${direction}`).join(', ')}`;

/**
 * A column of the documents of a range, in order. One SELECT for each combination of `in` values: each is ordered, so SQLite only
 * merges them. INDEXED BY makes any other plan an error.
 */
export function selectSql(
  collection: string,
  plan: QueryPlan,
  range: IndexRange,
  column: string,
  limit: number,
  skip: number,
): Sql | null {
  const branches = branchesOf(range);
  if (branches.length === 0) return null;
  const merged = branches.length > 1;
  const sortKeys = merged ? plan.order.map(([field], i) => `, ${columnOf(field)} AS o${i}`).join('') : '';
  const from = `SELECT ${column}${sortKeys} FROM ${quoted(collection)} INDEXED BY ${indexName(collection, plan.index)}`;
  const rest = [...range.conditions.map(conditionSql), ...rangeSql(plan, range.conditions)];
  const selects = branches.map((branch): Sql => {
    const conditions = [...branch.map(conditionSql), ...rest];
    const where = conditions.map(({ text }) => text).join(' AND ');
    return {
      text: where ? `${from} WHERE ${where}` : from,
      parameters: conditions.flatMap(({ parameters }) => parameters),
    };
  });
  const order = orderSql(plan.order, (field, i) => (merged ? `o${i}` : columnOf(field)));
  const rows = `${selects.map(({ text }) => text).join(' UNION ALL ')}${order} LIMIT ? OFFSET ?`;
  return {
    // The sort keys are not read: they may be damaged text.
    text: joinedBodies(rows),
    parameters: [...selects.flatMap(({ parameters }) => parameters), limit, skip],
  };
}
