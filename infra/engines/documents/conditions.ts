import { type Filter, type Scalar, UnanswerableQuery } from '../../../contracts/ports/documents';
import { isScalar } from './scalars';

type Comparison = 'gt' | 'gte' | 'lt' | 'lte';

/** Compares with values of its own kind only, as in MongoDB: `{ lt: 5 }` leaves out nulls and strings. */
export interface Bound {
  readonly comparison: Comparison;
  readonly value: string | number;
}

export interface Conditions {
  /** The values each field may have; one, unless the filter said `in`. */
  readonly equals: ReadonlyMap<string, readonly Scalar[]>;
  readonly range: { readonly field: string; readonly bounds: readonly Bound[] } | null;
}

const COMPARISONS: readonly string[] = ['gt', 'gte', 'lt', 'lte'];

const boundsOf = (field: string, condition: object): Bound[] => {
  const bounds = Object.entries(condition);
  if (bounds.length === 0) throw new UnanswerableQuery(`the filter on ${field} is empty`);
  if (new Set(bounds.map(([, value]) => typeof value)).size > 1)
    throw new UnanswerableQuery(`the range on ${field} is between values of two kinds`);
  return bounds.map(([comparison, value]) => {
    if (!COMPARISONS.includes(comparison))
      throw new UnanswerableQuery(`the filter on ${field} has no operator ${comparison}`);
    if (!isScalar(value) || value === null || typeof value === 'boolean')
      throw new UnanswerableQuery(`${comparison} on ${field} takes a string or a number`);
    return { comparison: comparison as Comparison, value };
  });
};

const alternativesOf = (field: string, condition: unknown): readonly Scalar[] | null => {
  if (isScalar(condition)) return [condition];
  if (typeof condition !== 'object' || condition === null || !('in' in condition)) return null;
  const { in: values, ...others } = condition;
  if (!Array.isArray(values) || !values.every(isScalar) || Object.keys(others).length > 0)
    throw new UnanswerableQuery(`in on ${field} takes a list of scalars and stands alone`);
  return [...new Set<Scalar>(values)];
};

/**
 * Takes a filter apart. What is not a scalar, `in` or a range is refused, so that an object out of a request
 * (`{"$ne":null}`) never becomes part of a query.
 * @throws UnanswerableQuery
 */
export function conditionsOf(filter: Filter): Conditions {
  const equals = new Map<string, readonly Scalar[]>();
  let range: Conditions['range'] = null;
  for (const [field, condition] of Object.entries<unknown>(filter)) {
    const alternatives = alternativesOf(field, condition);
    if (alternatives) equals.set(field, alternatives);
    else if (typeof condition !== 'object' || condition === null || Array.isArray(condition))
      throw new UnanswerableQuery(`the filter on ${field} is neither scalar, in, nor range`);
    else if (range) throw new UnanswerableQuery(`ranges on both ${range.field} and ${field}`);
    else range = { field, bounds: boundsOf(field, condition) };
  }
  return { equals, range };
}
