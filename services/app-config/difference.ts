import type { Json, JsonObject } from '../../contracts/json/json';

/** A value that differs between two documents; absent on the side that does not have it. */
export interface Difference {
  /** JSON pointer (RFC 6901). */
  readonly path: string;
  readonly before?: Json;
  readonly after?: Json;
}

/** What differs between two JSON documents, member by member, in the order of the first and then of the second. */
export function differences(before: Json | undefined, after: Json | undefined, path = ''): Difference[] {
  const [left, right] = [membersOf(before), membersOf(after)];
  if (left && right && Array.isArray(before) === Array.isArray(after)) {
    const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])];
    return keys.flatMap(key => differences(left[key], right[key], `${path}/${escaped(key)}`));
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  return [{ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }];
}

/** The members of an object or array, which may be called as those of `Object.prototype` are; null for another value. */
function membersOf(value: Json | undefined): JsonObject | null {
  return typeof value === 'object' && value !== null
    ? Object.assign(Object.create(null) as JsonObject, value)
    : null;
}

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
