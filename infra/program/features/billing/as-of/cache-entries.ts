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
  /** Who has read it. */
  readonly callers: Set<string>;
  /** Number of the last use. */
  lastUse: number;
  readers: number;
  documents: Documents | null;
}

/**
 * The snapshots that there are, with their readers. Those of the caller who has read most of them are evicted, the least recently used
 * first.
 */
export interface CacheEntries {
  all(): readonly CacheEntry[];
  add(found: Omit<FoundSnapshot, 'builtAt'>): CacheEntry;
  /** @throws AsOfNotReady when the snapshot has been removed */
  of(snapshot: Snapshot): CacheEntry;
  markUsed(entry: CacheEntry, caller: string): void;
  drop(snapshot: Snapshot): Promise<void>;
  /** Removes snapshots beyond the limits, and closes those that nobody reads; none while it has readers. */
  evict(): Promise<void>;
  close(): Promise<void>;
}

/** Snapshots without readers that stay open. */
const MAX_IDLE_OPEN = 2;

/** Whose those are that nobody has read since the start. */
const NOBODY = 'nobody';

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

  /** What a caller shares with one who has fewer counts as that of the other. */
  function nextToEvict(): CacheEntry | undefined {
    const counts = new Map<string, number>();
    const callersOf = ({ callers }: CacheEntry): string[] => (callers.size > 0 ? [...callers] : [NOBODY]);
    for (const entry of entries.values())
      for (const caller of callersOf(entry)) counts.set(caller, (counts.get(caller) ?? 0) + 1);
    const weightOf = (entry: CacheEntry): number =>
      Math.min(...callersOf(entry).map(caller => counts.get(caller)!));
    return leastRecentlyUsed().sort((a, b) => weightOf(b) - weightOf(a) || a.lastUse - b.lastUse)[0];
  }

  const exceedsLimits = (): boolean => {
    const bytes = [...entries.values()].reduce((sum, each) => sum + each.bytes, 0);
    return entries.size > limits.files || bytes > limits.bytes;
  };

  return {
    all: () => [...entries.values()],

    add({ path, manifest, bytes }) {
      const { mark } = manifest;
      const callers = new Set<string>();
      const entry = { path, mark, bytes, callers, lastUse: ++uses, readers: 0, documents: null };
      entries.set(path, entry);
      return entry;
    },

    of({ path }) {
      const entry = entries.get(path);
      if (!entry) throw new AsOfNotReady('the snapshot has just been removed');
      return entry;
    },

    markUsed(entry, caller) {
      entry.lastUse = ++uses;
      entry.callers.add(caller);
    },

    drop,

    // Checks again after each step, since other reads run meanwhile.
    async evict() {
      while (exceedsLimits()) {
        const next = nextToEvict();
        if (!next) break;
        await drop(next);
      }
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
