import {
  countedKibibytes,
  STORAGE_ENTRY_CATEGORY,
  storageEntryEvents,
} from '../../contracts/events/storage-entry';
import type { Document } from '../../contracts/ports/documents';
import type { EventProjection } from '../projection';
import type { Views } from '../views';

/** The last write of a key. Its id is the key, in hex. */
export type StorageEntryDocument = Document & {
  readonly seq: number;
  /** Base64. */
  readonly value: string;
  readonly signed: boolean;
  /** What the value counts as. */
  readonly kibibytes: number;
  /** Who has begun it, or made it count as more: one of the day; null where it was not recorded. */
  readonly source: string | null;
};

export const STORAGE_ENTRIES = {
  name: 'storage_entries',
  indexes: [],
  counts: [[], ['source'], { sumOf: 'kibibytes', by: [] }, { sumOf: 'kibibytes', by: ['source'] }],
};

export const storageEntriesProjection: EventProjection = {
  name: 'storage-entries',
  version: 4,
  categories: [STORAGE_ENTRY_CATEGORY],
  collections: [STORAGE_ENTRIES],
  touches: recorded => [{ collection: STORAGE_ENTRIES.name, id: storageEntryEvents.read(recorded).data.key }],
  fold(_document, recorded, { id }) {
    const { type, data } = storageEntryEvents.read(recorded);
    if (type === 'StorageEntryRemoved') return null;
    const { seq, value, signed, source } = data;
    return { _id: id, seq, value, signed: signed !== null, kibibytes: countedKibibytes(value), source };
  },
};

/** @param key in hex @returns null when the key was never written */
export function findStorageEntry(
  views: Pick<Views, 'get'>,
  key: string,
): Promise<StorageEntryDocument | null> {
  return views.get(STORAGE_ENTRIES.name, key);
}

/** What all values count as in KiB, and those of a source of the day; nothing as long as documents do not say it. */
export async function sumStoredKibibytes(
  views: Pick<Views, 'isOutdated' | 'sum'>,
  source: string,
): Promise<{ readonly ofAll: number; readonly fromSource: number }> {
  if (await views.isOutdated([STORAGE_ENTRIES.name])) return { ofAll: 0, fromSource: 0 };
  const [ofAll, fromSource] = await Promise.all([
    views.sum(STORAGE_ENTRIES.name, 'kibibytes'),
    views.sum(STORAGE_ENTRIES.name, 'kibibytes', { source }),
  ]);
  return { ofAll, fromSource };
}
