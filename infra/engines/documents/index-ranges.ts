import type { Direction, Scalar } from '../../../contracts/ports/documents';
import type { QueryPlan } from './query-plan';
import { compareScalars } from './scalars';

/** Null compares as a value: `=` null matches missing and null, `>` null matches everything else. */
export interface FieldCondition {
  readonly field: string;
  readonly operator: '=' | '<' | '>';
  readonly value: Scalar;
}

/** A part of the result that is contiguous in the index, for each combination of its `in` values. */
export interface IndexRange {
  readonly equals: ReadonlyMap<string, readonly Scalar[]>;
  readonly conditions: readonly FieldCondition[];
}

const withCondition = (range: IndexRange, condition: FieldCondition): IndexRange => ({
  ...range,
  conditions: [...range.conditions, condition],
});

const withValues = (range: IndexRange, field: string, fits: (value: Scalar) => boolean): IndexRange => ({
  ...range,
  equals: new Map(range.equals).set(field, range.equals.get(field)!.filter(fits)),
});

/** Matches the values after this one. In descending order nulls come after strings and numbers, where there can be any. */
const after = (
  field: string,
  direction: Direction,
  value: Scalar,
  nullable: boolean,
): readonly FieldCondition[] => {
  if (direction === 'asc') return [{ field, operator: '>', value }];
  if (value === null) return [];
  const less: FieldCondition = { field, operator: '<', value };
  return nullable ? [less, { field, operator: '=', value: null }] : [less];
};

/**
 * Keyset pagination: the rest of a result after a key, as index ranges to be read in order. With the order (a, b, _id)
 * first the same a and b and a greater _id, then the same a and a greater b, then a greater a. Each is contiguous in the
 * index, so the cost does not depend on how much was read before.
 *
 * @param key the values of the fields of `plan.order`; without it, the whole result
 */
export function rangesAfter(plan: QueryPlan, key?: readonly Scalar[]): readonly IndexRange[] {
  let same: IndexRange = { equals: plan.equals, conditions: [] };
  if (!key) return [same];
  const ranges: IndexRange[] = [];
  for (const [i, [field, direction]] of plan.order.entries()) {
    const value = key[i]!;
    if (plan.equals.has(field)) {
      const sign = direction === 'asc' ? 1 : -1;
      ranges.unshift(withValues(same, field, other => compareScalars(other, value) * sign > 0));
      same = withValues(same, field, other => compareScalars(other, value) === 0);
    } else {
      const nullable = field !== '_id' && field !== plan.range?.field;
      const conditions = after(field, direction, value, nullable);
      ranges.unshift(...conditions.map(condition => withCondition(same, condition)));
      same = withCondition(same, { field, operator: '=', value });
    }
  }
  return ranges.filter(({ equals }) => [...equals.values()].every(values => values.length > 0));
}
