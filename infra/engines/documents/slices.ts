import type { Plan } from './plan';
import type { Direction, Scalar } from '../../../contracts/ports/documents';
import { compareScalars } from './scalars';

/** Null compares as a value: `=` null is missing or null, `>` null is anything else. */
export interface Step {
  readonly field: string;
  readonly is: '=' | '<' | '>';
  readonly value: Scalar;
}

/** A stretch of an answer that is contiguous in the index, given which of the `in` values it concerns. */
export interface Slice {
  readonly equals: ReadonlyMap<string, readonly Scalar[]>;
  readonly steps: readonly Step[];
}

const stepped = (slice: Slice, step: Step): Slice => ({ ...slice, steps: [...slice.steps, step] });

const narrowed = (slice: Slice, field: string, fits: (value: Scalar) => boolean): Slice => ({
  ...slice,
  equals: new Map(slice.equals).set(field, slice.equals.get(field)!.filter(fits)),
});

/** What is strictly beyond a value. Downwards, strings and numbers are followed by the nulls, if there can be any. */
const beyond = (field: string, direction: Direction, value: Scalar, nullable: boolean): readonly Step[] => {
  if (direction === 'asc') return [{ field, is: '>', value }];
  if (value === null) return [];
  const below: Step = { field, is: '<', value };
  return nullable ? [below, { field, is: '=', value: null }] : [below];
};

/**
 * What is left of an answer after a place in it, as slices to be read one after the other: with the order (a, b, _id)
 * first the same a and b and a greater _id, then the same a and a greater b, then a greater a. Each is one stretch of
 * the index, so going on costs nothing for what was read before.
 *
 * @param place the values of the fields of `plan.order`; without it, the whole answer
 */
export function slicesOf(plan: Plan, place?: readonly Scalar[]): readonly Slice[] {
  let same: Slice = { equals: plan.equals, steps: [] };
  if (!place) return [same];
  const slices: Slice[] = [];
  for (const [i, [field, direction]] of plan.order.entries()) {
    const value = place[i]!;
    if (plan.equals.has(field)) {
      const sign = direction === 'asc' ? 1 : -1;
      slices.unshift(narrowed(same, field, other => compareScalars(other, value) * sign > 0));
      same = narrowed(same, field, other => compareScalars(other, value) === 0);
    } else {
      const nullable = field !== '_id' && field !== plan.range?.field;
      const steps = beyond(field, direction, value, nullable);
      slices.unshift(...steps.map(step => stepped(same, step)));
      same = stepped(same, { field, is: '=', value });
    }
  }
  return slices.filter(({ equals }) => [...equals.values()].every(values => values.length > 0));
}
