import type { Write } from '../../../contracts/ports/documents';

/** @throws TypeError for a document that is not written under its id, and for two writes of one document */
export function validateWrites(writes: readonly Write[]): void {
  const written = new Map<string, Set<string>>();
  for (const { collection, id, document } of writes) {
    if (id === '' || (document && document._id !== id))
      throw new TypeError(`${collection}: document ${document?._id} written as "${id}"`);
    const ids = written.get(collection) ?? new Set();
    if (ids.has(id)) throw new TypeError(`${collection}: document ${id} written twice in one commit`);
    written.set(collection, ids.add(id));
  }
}
