import { STORAGE_ENTRY_CATEGORY, storageEntryEvents } from '../../contracts/events/storage-entry';
import type { Document } from '../../contracts/ports/documents';
import type { EventProjection } from '../projection';
import type { Views } from '../views';

/** The last write of a key. Its id is the key, in hex. */
export type StorageEntryDocument = Document & {
  readonly seq: number;
  /** Base64. */
  readonly value: string;
  readonly signed: boolean;
  /** Who has written it first: one of the day; null where it was not recorded. */
  readonly source: string | null;
};

export const STORAGE_ENTRIES = { name: 'storage_entries', indexes: [], counts: [[], ['source']] };

export const storageEntriesProjection: EventProjection = {
  name: 'storage-entries',
  version: 2,
  categories: [STORAGE_ENTRY_CATEGORY],
  collections: [STORAGE_ENTRIES],
  touches: recorded => [{ collection: STORAGE_ENTRIES.name, id: storageEntryEvents.read(recorded).data.key }],
  fold(_document, recorded, { id }) {
    const { type, data } = storageEntryEvents.read(recorded);
    if (type === 'StorageEntryRemoved') return null;
    const { seq, value, signed, source } = data;
    return { _id: id, seq, value, signed: signed !== null, source };
  },
};

/** @param key in hex @returns null when the key was never written */
export function findStorageEntry(
  views: Pick<Views, 'get'>,
  key: string,
): Promise<StorageEntryDocument | null> {
  return views.get(STORAGE_ENTRIES.name, key);
}
