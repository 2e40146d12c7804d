import type { Document, Documents, Write } from '../../../infra/documents/port';
import type { Places as PlacesOf } from '../places';

export type Places = PlacesOf<Documents>;

export const puts = (collection: string, documents: readonly Document[]): Write[] =>
  documents.map(document => ({ collection, id: document._id, document }));

export const deletions = (collection: string, ids: readonly string[]): Write[] =>
  ids.map(id => ({ collection, id, document: null }));

export const idsOf = (documents: readonly Document[]): string[] => documents.map(({ _id }) => _id);
