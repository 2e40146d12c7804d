import type { Json } from '../../contracts/json';

/** A value that differs between two documents: null on the side that does not have it. */
export interface Difference {
  /** JSON pointer (RFC 6901). */
  readonly path: string;
  readonly before: Json | null;
  readonly after: Json | null;
}

/** What differs between two JSON documents, value by value, in the order of the paths. */
export function differences(before: Json, after: Json): Difference[] {
  const [old, fresh] = [new Map(valuesOf(before)), new Map(valuesOf(after))];
  const paths = [...new Set([...old.keys(), ...fresh.keys()])].sort();
  return paths
    .map(path => ({ path, before: old.get(path) ?? null, after: fresh.get(path) ?? null }))
    .filter(each => JSON.stringify(each.before) !== JSON.stringify(each.after));
}

function* valuesOf(value: Json, path = ''): Iterable<[path: string, value: Json]> {
  if (value === null || typeof value !== 'object' || Object.keys(value).length === 0)
    return yield [path, value];
  for (const [key, member] of Object.entries(value))
    yield* valuesOf(member, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
}
