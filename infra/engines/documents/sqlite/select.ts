import type { Bound } from '../conditions';
import type { Plan, Term } from '../plan';
import type { Scalar } from '../../../../contracts/ports/documents';
import type { Slice, Step } from '../slices';
import { type Key, keyOf } from './keys';
import { columnOf, indexName, quoted } from './layout';

interface Sql {
  readonly text: string;
  readonly parameters: readonly Key[];
}

const OPERATORS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;
const isLower = ({ comparison }: Bound): boolean => comparison.startsWith('g');

const stepSql = ({ field, is, value }: Step): Sql => {
  const column = columnOf(field);
  if (value !== null) return { text: `${column} ${is} ?`, parameters: [keyOf(value)] };
  return { text: `${column} ${is === '=' ? 'IS NULL' : 'IS NOT NULL'}`, parameters: [] };
};

/** All strings are greater than all numbers: the bound that keeps a range within the kind of its values. */
const kindBounds = (bounds: readonly Bound[]): readonly Bound[] => {
  if (typeof bounds[0]!.value === 'string')
    return bounds.some(isLower) ? [] : [{ comparison: 'gte', value: '' }];
  return bounds.some(bound => !isLower(bound)) ? [] : [{ comparison: 'lt', value: '' }];
};

/** A bound on the side where a step begins is only checked (`+column`): SQLite must not seek by it instead. */
const rangeSql = ({ range }: Plan, steps: readonly Step[]): readonly Sql[] => {
  if (!range) return [];
  const step = steps.find(({ field }) => field === range.field);
  const seeks = (bound: Bound): boolean => !step || (step.is !== '=' && (step.is === '>') !== isLower(bound));
  return [...range.bounds, ...kindBounds(range.bounds)].map(bound => ({
    text: `${seeks(bound) ? '' : '+'}${columnOf(range.field)} ${OPERATORS[bound.comparison]} ?`,
    parameters: [keyOf(bound.value)],
  }));
};

const branchesOf = ({ equals }: Slice): Step[][] =>
  [...equals].reduce<Step[][]>(
    (branches, [field, values]) =>
      branches.flatMap(branch =>
        values.map((value: Scalar): Step[] => [...branch, { field, is: '=', value }]),
      ),
    [[]],
  );

const orderSql = (order: readonly Term[], name: (field: string, i: number) => string): string =>
  order.length === 0
    ? ''
    : ` ORDER BY ${order.map(([field, direction], i) => `${name(field, i)} ${direction}`).join(', ')}`;

/**
 * The bodies of a slice, in order. One SELECT for each combination of `in` values: SQLite merges them as it goes,
 * since each is in order already. INDEXED BY makes any other plan an error.
 */
export function selectSql(
  collection: string,
  plan: Plan,
  slice: Slice,
  limit: number,
  skip: number,
): Sql | null {
  const branches = branchesOf(slice);
  if (branches.length === 0) return null;
  const merged = branches.length > 1;
  const sortKeys = merged ? plan.order.map(([field], i) => `, ${columnOf(field)} AS o${i}`).join('') : '';
  const from = `SELECT body${sortKeys} FROM ${quoted(collection)} INDEXED BY ${indexName(collection, plan.index)}`;
  const rest = [...slice.steps.map(stepSql), ...rangeSql(plan, slice.steps)];
  const selects = branches.map((branch): Sql => {
    const conditions = [...branch.map(stepSql), ...rest];
    const where = conditions.map(({ text }) => text).join(' AND ');
    return {
      text: where ? `${from} WHERE ${where}` : from,
      parameters: conditions.flatMap(({ parameters }) => parameters),
    };
  });
  const order = orderSql(plan.order, (field, i) => (merged ? `o${i}` : columnOf(field)));
  return {
    text: `${selects.map(({ text }) => text).join(' UNION ALL ')}${order} LIMIT ? OFFSET ?`,
    parameters: [...selects.flatMap(({ parameters }) => parameters), limit, skip],
  };
}
