import { LRUCache } from 'lru-cache';
import type { Document, IndexSpec, Page, Query, Scalar } from '../../../../contracts/ports/documents';
import type { Database } from '../../sqlite/database';
import type { Bound } from '../filter';
import type { FieldCondition, IndexRange } from '../index-ranges';
import { documentIn } from '../body';
import { paginate, type PageRequest } from '../pagination';
import type { OrderTerm, QueryPlan } from '../query-plan';
import { isScalar } from '../scalars';
import type { Collection } from '../collection';
import type { DocumentCache } from './document-cache';
import { type Key, keyOf } from './index-keys';
import { joinedBodies, readBodies, readRowVersions, ROW_VERSION } from './stored-text';
import { columnOf, indexName, quoted } from './tables';

/** Larger pages are parts of exports, which are read once. */
const MAX_CACHED = 200;
/** Queries that are not planned again while they are repeated. */
const MAX_PLANS = 1_000;

/** No commit has a later number. */
const NEWEST = Number.MAX_SAFE_INTEGER;

interface Plan extends PageRequest {
  readonly indexes: readonly IndexSpec[];
  /** Select the versions, with the bodies that are newer than the first parameter; to be run in order. */
  readonly statements: readonly Sql[];
  /** The newest version that it has read: what is newer is probably not in the cache. */
  newest: number;
}

/** Reads one page. @throws UnanswerableQuery, InvalidCursor, DamagedData */
export type Find = <D extends Document>(collection: Collection, query: Query) => Page<D>;

/** @param cache of what it has, only the versions are read; null for none */
export function createFind(db: Database, cache: DocumentCache | null): Find {
  const plans = new LRUCache<string, Plan>({ max: MAX_PLANS });

  const planOf = ({ name, indexes }: Collection, query: Query): Plan => {
    const key = isTextUnique(query) ? `${name} ${JSON.stringify(query)}` : null;
    const known = key === null ? undefined : plans.get(key);
    if (known?.indexes === indexes) return known;
    const request = paginate(name, indexes, query);
    const plan = {
      ...request,
      indexes,
      statements: statementsOf(name, request, ROW_VERSION),
      newest: NEWEST,
    };
    if (key !== null) plans.set(key, plan);
    return plan;
  };

  /** @param first parameters of the column that is selected */
  const select = <Row>(
    statements: readonly Sql[],
    first: readonly Key[],
    { limit }: Query,
    skip: number,
    read: (joined: Buffer | null) => readonly Row[],
  ): Row[] => {
    const found: Row[] = [];
    for (const { text, parameters } of statements) {
      const rest = limit + 1 - found.length;
      const bound = [...first, ...parameters, rest, skip];
      found.push(...read(db.prepare<[Buffer | null]>(text).get(bound)![0]));
      if (found.length > limit) break;
    }
    return found;
  };

  return <D extends Document>(collection: Collection, query: Query): Page<D> => {
    const { name, indexes } = collection;
    if (cache && query.limit <= MAX_CACHED) {
      const plan = planOf(collection, query);
      const rows = select(plan.statements, [plan.newest], query, plan.skip, readRowVersions);
      plan.newest = rows.reduce((newest, { version }) => Math.max(newest, version), 0);
      const documents = cache.read<D>(name, rows);
      if (documents) return plan.page(documents);
    }
    const request = paginate(name, indexes, query);
    const bodies = select(statementsOf(name, request, 'body'), [], query, request.skip, joined =>
      readBodies(joined, name),
    );
    return request.page(bodies.map(body => documentIn<D>(body)));
  };
}

/** Whether no other query has the same JSON: what is not a scalar might be left out of it. */
const isTextUnique = ({ filter = {} }: Query): boolean => Object.values(filter).every(isScalar);

const statementsOf = (collection: string, { plan, ranges }: PageRequest, column: string): Sql[] =>
  ranges.flatMap(range => selectSql(collection, plan, range, column) ?? []);

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
 * merges them. INDEXED BY makes any other plan an error. The limit and what to skip follow the parameters.
 */
export function selectSql(
  collection: string,
  plan: QueryPlan,
  range: IndexRange,
  column: string,
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
    parameters: [...selects.flatMap(({ parameters }) => parameters)],
  };
}
