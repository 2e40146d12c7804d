import { stat } from 'node:fs/promises';
import type { Documents } from '../../../../../contracts/ports/documents';
import type { Position } from '../../../../../contracts/position';
import type { Mark } from '../../../../../projections/as-of/timeline';
import { openSqliteDocuments } from '../../../../engines/documents/sqlite/sqlite-documents';
import { createCacheEntries, withReader, type Limits, type Snapshot } from './cache-entries';
import { copy, documentsOf, findSnapshots, newPath, remove, writeManifest } from './snapshot-files';

/** The snapshots of a folder, of which those beyond the limits are evicted. */
export interface SnapshotCache {
  all(): readonly Snapshot[];
  /** The nearest at or before the position. */
  nearest(position: Position): Snapshot | null;
  /** Reads a snapshot for a caller; it is not removed until `read` has ended. */
  use<Result>(
    snapshot: Snapshot,
    caller: string,
    read: (documents: Documents) => Promise<Result>,
  ): Promise<Result>;
  /**
   * Adds a snapshot. `build` gets the file of its documents, a copy of the base or a name without a file, and has closed it
   * when it resolves. When it throws the file is removed.
   */
  add(mark: Mark, base: Snapshot | null, build: (file: string) => Promise<void>): Promise<Snapshot>;
  drop(snapshot: Snapshot): Promise<void>;
  /** Must not be called while a snapshot is read. */
  close(): Promise<void>;
}

export async function openSnapshotCache(
  folder: string,
  projections: string,
  limits: Limits,
): Promise<SnapshotCache> {
  const entries = createCacheEntries(limits);
  const oldestFirst = (await findSnapshots(folder, projections)).sort((a, b) => a.builtAt - b.builtAt);
  for (const found of oldestFirst) entries.add(found);

  return {
    all: entries.all,
    drop: entries.drop,
    close: entries.close,

    nearest: position =>
      entries
        .all()
        .filter(({ mark }) => mark.position <= position)
        .sort((a, b) => b.mark.position - a.mark.position)[0] ?? null,

    async use(snapshot, caller, read) {
      const entry = entries.of(snapshot);
      entries.markUsed(entry, caller);
      try {
        return await withReader(entry, () =>
          read((entry.documents ??= openSqliteDocuments({ path: documentsOf(entry.path) }))),
        );
      } finally {
        await entries.evict();
      }
    },

    async add(mark, base, build) {
      const path = newPath(folder, mark.position);
      try {
        if (base) await withReader(entries.of(base), () => copy(base.path, path));
        await build(documentsOf(path));
        const manifest = { mark, projections };
        await writeManifest(path, manifest);
        const { size } = await stat(documentsOf(path));
        const entry = entries.add({ path, manifest, bytes: size });
        await entries.evict();
        return entry;
      } catch (error) {
        await remove(path);
        throw error;
      }
    },
  };
}
