import { stat } from 'node:fs/promises';
import type { Position } from '../../../../../contracts/position';
import { AsOfNotReady } from '../../../../../projections/as-of/port';
import type { Mark } from '../../../../../projections/as-of/timeline';
import type { Documents } from '../../../../../contracts/ports/documents';
import { openSqliteDocuments } from '../../../../engines/documents/sqlite/sqlite-documents';
import {
  copy,
  documentsOf,
  findSnapshots,
  newPath,
  remove,
  writeManifest,
  type FoundSnapshot,
  type SnapshotPath,
} from './snapshot-files';

/** Documents of the ledger as of a mark; immutable. */
export interface Snapshot {
  readonly path: SnapshotPath;
  readonly mark: Mark;
  readonly bytes: number;
}

export interface Limits {
  /** Number of snapshots. */
  readonly files: number;
  /** Of all snapshots together; the one used last stays however large it is. */
  readonly bytes: number;
}

/** The snapshots of a folder; the least recently used ones are evicted. */
export interface SnapshotCache {
  all(): readonly Snapshot[];
  /** The nearest at or before the position. */
  nearest(position: Position): Snapshot | null;
  /** Reads a snapshot, which is not removed until `read` has ended. */
  use<Result>(snapshot: Snapshot, read: (documents: Documents) => Promise<Result>): Promise<Result>;
  /**
   * Adds a snapshot. `build` gets the file of its documents, a copy of the base or a name without a file, and has closed it
   * when it resolves. When it throws the file is removed.
   */
  add(mark: Mark, base: Snapshot | null, build: (file: string) => Promise<void>): Promise<Snapshot>;
  drop(snapshot: Snapshot): Promise<void>;
  /** Must not be called while a snapshot is read. */
  close(): Promise<void>;
}

/** Snapshots without readers that stay open. */
const MAX_IDLE_OPEN = 2;

interface CacheEntry extends Snapshot {
  /** Number of the last use. */
  lastUse: number;
  readers: number;
  documents: Documents | null;
}

export async function openSnapshotCache(
  folder: string,
  projections: string,
  limits: Limits,
): Promise<SnapshotCache> {
  const oldestFirst = (await findSnapshots(folder, projections)).sort((a, b) => a.builtAt - b.builtAt);
  let uses = 0;
  const newEntry = ({ path, manifest, bytes }: Omit<FoundSnapshot, 'builtAt'>): CacheEntry => ({
    path,
    mark: manifest.mark,
    bytes,
    lastUse: ++uses,
    readers: 0,
    documents: null,
  });
  const entries = new Map<SnapshotPath, CacheEntry>();
  for (const found of oldestFirst) entries.set(found.path, newEntry(found));

  const close = async (entry: CacheEntry): Promise<void> => {
    const { documents } = entry;
    entry.documents = null;
    await documents?.close();
  };

  const drop = async ({ path }: Snapshot): Promise<void> => {
    const entry = entries.get(path);
    if (!entry) return;
    entries.delete(path);
    await close(entry);
    await remove(path);
  };

  /** Without the one used last, whose caller may not have read it yet. */
  const leastRecentlyUsed = (): CacheEntry[] =>
    [...entries.values()]
      .filter(({ readers, lastUse }) => readers === 0 && lastUse !== uses)
      .sort((a, b) => a.lastUse - b.lastUse);

  const exceedsLimits = (): boolean => {
    const bytes = [...entries.values()].reduce((sum, each) => sum + each.bytes, 0);
    return entries.size > limits.files || bytes > limits.bytes;
  };

  /** Checks again after each step, since other reads run meanwhile. */
  const evict = async (): Promise<void> => {
    for (let [oldest] = leastRecentlyUsed(); oldest && exceedsLimits(); [oldest] = leastRecentlyUsed())
      await drop(oldest);
    const idle = (): CacheEntry[] => leastRecentlyUsed().filter(({ documents }) => documents);
    while (idle().length > MAX_IDLE_OPEN) await close(idle()[0]!);
  };

  const withReader = async <Result>(entry: CacheEntry, work: () => Promise<Result>): Promise<Result> => {
    entry.readers++;
    try {
      return await work();
    } finally {
      entry.readers--;
    }
  };

  const entryOf = ({ path }: Snapshot): CacheEntry => {
    const entry = entries.get(path);
    if (!entry) throw new AsOfNotReady('the snapshot has just been removed');
    return entry;
  };

  return {
    all: () => [...entries.values()],

    nearest: position =>
      [...entries.values()]
        .filter(({ mark }) => mark.position <= position)
        .sort((a, b) => b.mark.position - a.mark.position)[0] ?? null,

    async use(snapshot, read) {
      const entry = entryOf(snapshot);
      entry.lastUse = ++uses;
      try {
        return await withReader(entry, () =>
          read((entry.documents ??= openSqliteDocuments({ path: documentsOf(entry.path) }))),
        );
      } finally {
        await evict();
      }
    },

    async add(mark, base, build) {
      const path = newPath(folder, mark.position);
      try {
        if (base) await withReader(entryOf(base), () => copy(base.path, path));
        await build(documentsOf(path));
        const manifest = { mark, projections };
        await writeManifest(path, manifest);
        const { size } = await stat(documentsOf(path));
        const entry = newEntry({ path, manifest, bytes: size });
        entries.set(path, entry);
        await evict();
        return entry;
      } catch (error) {
        await remove(path);
        throw error;
      }
    },

    drop,

    async close() {
      for (const entry of entries.values()) await close(entry);
    },
  };
}
