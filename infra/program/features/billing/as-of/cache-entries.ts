import type { Documents } from '../../../../../contracts/ports/documents';
import { AsOfNotReady } from '../../../../../projections/as-of/port';
import type { Mark } from '../../../../../projections/as-of/timeline';
import { remove, type FoundSnapshot, type SnapshotPath } from './snapshot-files';

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

/** A snapshot, its readers, and its documents while they are open. */
export interface CacheEntry extends Snapshot {
  /** Number of the last use. */
  lastUse: number;
  readers: number;
  documents: Documents | null;
}

/** The snapshots that there are, with their readers, of which the least recently used ones are evicted. */
export interface CacheEntries {
  all(): readonly CacheEntry[];
  add(found: Omit<FoundSnapshot, 'builtAt'>): CacheEntry;
  /** @throws AsOfNotReady when the snapshot has been removed */
  of(snapshot: Snapshot): CacheEntry;
  markUsed(entry: CacheEntry): void;
  drop(snapshot: Snapshot): Promise<void>;
  /** Removes snapshots beyond the limits, and closes those that nobody reads; none while it has readers. */
  evict(): Promise<void>;
  close(): Promise<void>;
}

/** Snapshots without readers that stay open. */
const MAX_IDLE_OPEN = 2;

export function createCacheEntries(limits: Limits): CacheEntries {
  const entries = new Map<SnapshotPath, CacheEntry>();
  let uses = 0;

  async function drop({ path }: Snapshot): Promise<void> {
    const entry = entries.get(path);
    if (!entry) return;
    entries.delete(path);
    await close(entry);
    await remove(path);
  }

  /** Without the one used last, whose caller may not have read it yet. */
  const leastRecentlyUsed = (): CacheEntry[] =>
    [...entries.values()]
      .filter(({ readers, lastUse }) => readers === 0 && lastUse !== uses)
      .sort((a, b) => a.lastUse - b.lastUse);

  const exceedsLimits = (): boolean => {
    const bytes = [...entries.values()].reduce((sum, each) => sum + each.bytes, 0);
    return entries.size > limits.files || bytes > limits.bytes;
  };

  return {
    all: () => [...entries.values()],

    add({ path, manifest, bytes }) {
      const entry = { path, mark: manifest.mark, bytes, lastUse: ++uses, readers: 0, documents: null };
      entries.set(path, entry);
      return entry;
    },

    of({ path }) {
      const entry = entries.get(path);
      if (!entry) throw new AsOfNotReady('the snapshot has just been removed');
      return entry;
    },

    markUsed: entry => void (entry.lastUse = ++uses),

    drop,

    // Checks again after each step, since other reads run meanwhile.
    async evict() {
      for (let [oldest] = leastRecentlyUsed(); oldest && exceedsLimits(); [oldest] = leastRecentlyUsed())
        await drop(oldest);
      const idle = (): CacheEntry[] => leastRecentlyUsed().filter(({ documents }) => documents);
      while (idle().length > MAX_IDLE_OPEN) await close(idle()[0]!);
    },

    async close() {
      for (const entry of entries.values()) await close(entry);
    },
  };
}

/** Runs what reads a snapshot, which is neither closed nor removed meanwhile. */
export async function withReader<Result>(entry: CacheEntry, work: () => Promise<Result>): Promise<Result> {
  entry.readers++;
  try {
    return await work();
  } finally {
    entry.readers--;
  }
}

async function close(entry: CacheEntry): Promise<void> {
  const { documents } = entry;
  entry.documents = null;
  await documents?.close();
}
