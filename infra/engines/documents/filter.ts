import { type Filter, type Scalar, UnanswerableQuery } from '../../../contracts/ports/documents';
import { isScalar } from './scalars';

type Comparison = 'gt' | 'gte' | 'lt' | 'lte';

/** Matches only values of its own type, as in MongoDB: `{ lt: 5 }` matches neither null nor strings. */
export interface Bound {
  readonly comparison: Comparison;
  readonly value: string | number;
}

export interface ParsedFilter {
  /** The allowed values of each field; one, unless the filter is `in`. */
  readonly equals: ReadonlyMap<string, readonly Scalar[]>;
  readonly range: { readonly field: string; readonly bounds: readonly Bound[] } | null;
}

const COMPARISONS: readonly string[] = ['gt', 'gte', 'lt', 'lte'];

const parseBounds = (field: string, condition: object): Bound[] => {
  const bounds = Object.entries(condition);
  if (bounds.length === 0) throw new UnanswerableQuery(`the filter on ${field} is empty`);
  if (new Set(bounds.map(([, value]) => typeof value)).size > 1)
    throw new UnanswerableQuery(`the range on ${field} has bounds of two types`);
  return bounds.map(([comparison, value]) => {
    if (!COMPARISONS.includes(comparison))
      throw new UnanswerableQuery(`the filter on ${field} has no operator ${comparison}`);
    if (!isScalar(value) || value === null || typeof value === 'boolean')
      throw new UnanswerableQuery(`${comparison} on ${field} takes a string or a number`);
    return { comparison: comparison as Comparison, value };
  });
};

const parseAlternatives = (field: string, condition: unknown): readonly Scalar[] | null => {
  if (isScalar(condition)) return [condition];
  if (typeof condition !== 'object' || condition === null || !('in' in condition)) return null;
  const { in: values, ...others } = condition;
  if (!Array.isArray(values) || !values.every(isScalar) || Object.keys(others).length > 0)
    throw new UnanswerableQuery(`in on ${field} takes a list of scalars and no other operator`);
  return [...new Set<Scalar>(values)];
};

/**
 * Parses a filter. Only scalars, `in` and ranges are accepted, so that an object from a request (`{"$ne":null}`) never
 * becomes part of a query.
 * @throws UnanswerableQuery
 */
export function parseFilter(filter: Filter): ParsedFilter {
  const equals = new Map<string, readonly Scalar[]>();
  let range: ParsedFilter['range'] = null;
  for (const [field, condition] of Object.entries<unknown>(filter)) {
    const alternatives = parseAlternatives(field, condition);
    if (alternatives) equals.set(field, alternatives);
    else if (typeof condition !== 'object' || condition === null || Array.isArray(condition))
      throw new UnanswerableQuery(`the filter on ${field} is neither a scalar nor in nor a range`);
    else if (range) throw new UnanswerableQuery(`ranges on both ${range.field} and ${field}`);
    else range = { field, bounds: parseBounds(field, condition) };
  }
  return { equals, range };
}
