import type { Document, Documents, Write } from '../../../contracts/ports/documents';
import type { Harness } from '../harness';

export type DocumentsHarness = Harness<Documents>;

export function puts(collection: string, documents: readonly Document[]): Write[] {
  return documents.map(document => ({ collection, id: document._id, document }));
}

export function deletions(collection: string, ids: readonly string[]): Write[] {
  return ids.map(id => ({ collection, id, document: null }));
}

export function idsOf(documents: readonly Document[]): string[] {
  return documents.map(({ _id }) => _id);
}
