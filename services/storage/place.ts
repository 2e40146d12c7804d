import { shareLeft } from '../../contracts/bound';
import { countedKibibytes } from '../../contracts/events/storage-entry';
import { sumStoredKibibytes, findStorageEntry, STORAGE_ENTRIES } from '../../projections/storage/entries';
import type { Views } from '../../projections/views';
import { placeOf, type CallerPlaceDeps } from '../callers/caller-place';
import type { WriteCommand } from './decider';

export interface StoragePlaceDeps extends CallerPlaceDeps {
  readonly views: Pick<Views, 'count' | 'get' | 'isOutdated' | 'sum'>;
  /** Keys that may be stored; 0: any number. */
  readonly maxKeys: number;
  /** What all values may count as; 0: any number. */
  readonly maxKibibytes: number;
}

/** What a caller may add for a write. One that counts as no more than what is stored under its key needs nothing. */
export async function storagePlaceOf(
  deps: StoragePlaceDeps,
  { key, value }: Pick<WriteCommand, 'key' | 'value'>,
  ip: string,
): Promise<Pick<WriteCommand, 'source' | 'hasPlace' | 'roomKibibytes'>> {
  const { views, sourceOf, maxKeys, maxKibibytes } = deps;
  const wanted = countedKibibytes(value);
  const stored = await findStorageEntry(views, key);
  if (stored && stored.kibibytes >= wanted)
    return { source: sourceOf(ip), hasPlace: true, roomKibibytes: wanted };
  const place = await placeOf(deps, STORAGE_ENTRIES.name, maxKeys, ip);
  if (maxKibibytes === 0) return { ...place, roomKibibytes: wanted };
  const { ofAll, fromSource } = await sumStoredKibibytes(views, place.source);
  return { ...place, roomKibibytes: shareLeft(maxKibibytes, ofAll, fromSource) };
}
