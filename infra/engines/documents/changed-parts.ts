import { partOf, type Write } from '../../../contracts/ports/documents';

/** The parts of each collection that writes change. */
export function changedParts(
  writes: Iterable<Pick<Write, 'collection' | 'id'>>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const parts = new Map<string, Set<string>>();
  for (const { collection, id } of writes) {
    const known = parts.get(collection) ?? new Set();
    parts.set(collection, known.add(partOf(id)));
  }
  return parts;
}
