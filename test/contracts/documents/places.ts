import { randomUUID } from 'node:crypto';
import type { Document, Documents, Write } from '../../../infra/documents/port';

export type OpenDocuments = (place: string) => Promise<Documents>;

export interface Places {
  /** A store with nothing in it. */
  fresh(): Promise<Documents>;
  /** Another client of the store opened last. */
  another(): Promise<Documents>;
}

/** Closes after each test what the test opened. */
export const documentsAt = (open: OpenDocuments): Places => {
  let place = '';
  let opened: Documents[] = [];
  const another = async (): Promise<Documents> => {
    const documents = await open(place);
    opened.push(documents);
    return documents;
  };
  afterEach(async () => {
    for (const documents of opened) await documents.close();
    opened = [];
  });
  return {
    fresh: () => {
      place = randomUUID();
      return another();
    },
    another,
  };
};

export const puts = (collection: string, documents: readonly Document[]): Write[] =>
  documents.map(document => ({ collection, id: document._id, document }));

export const deletions = (collection: string, ids: readonly string[]): Write[] =>
  ids.map(id => ({ collection, id, document: null }));

export const idsOf = (documents: readonly Document[]): string[] => documents.map(({ _id }) => _id);
