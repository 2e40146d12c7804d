import { setImmediate } from 'node:timers/promises';
import type { Database } from '../../sqlite/database';
import { text } from '../../sqlite/statement';
import type { Source, Write } from '../../../../contracts/ports/documents';

/** Versions of collections and parts of collections, tracked once they are requested. */
export interface Versions {
  of(sources: readonly Source[]): Promise<string>;
  /** Records a commit of this connection. To be called inside its transaction. */
  wrote(collection: string, writes: readonly Write[]): void;
  /** A collection created again under the same name is a different one. */
  dropped(): void;
}

/** Parts are hashed to a fixed number of slots: memory is bounded, and a change of one part may look like one of another. */
const SLOTS = 4_096;

interface Numbers {
  /** The last commit to the collection, by any connection, when it was last read from the file. */
  lastCommit: number | null;
  /** The last change to the collection. */
  all: number;
  /** The last change to each slot; allocated when a part is first requested. */
  parts: Float64Array | null;
}

/**
 * Own commits are known by document. For commits of other connections the file has the collections they changed; all
 * parts of these count as changed.
 */
export function trackVersions(db: Database): Versions {
  const one = db.prepare<[number]>('SELECT last_commit FROM _collections WHERE name = ?');
  const all = db.prepare<[string, number]>(`SELECT ${text('name')}, last_commit FROM _collections`);
  const known = new Map<string, Numbers>();
  let others = db.commits.mark().others;
  let changes = 0;
  let drops = 0;

  const refresh = (): void => {
    const now = db.commits.mark().others;
    if (now === others) return;
    // Before the file is read, so that a commit in between is read again.
    others = now;
    changes += 1;
    const file = new Map(all.all());
    for (const [name, numbers] of known) {
      const lastCommit = file.get(name) ?? null;
      if (lastCommit === numbers.lastCommit) continue;
      numbers.lastCommit = lastCommit;
      numbers.all = changes;
      numbers.parts?.fill(changes);
    }
  };

  const numberOf = ({ collection, part }: Source): number => {
    let numbers = known.get(collection);
    if (!numbers) {
      numbers = { lastCommit: one.get([collection])?.[0] ?? null, all: changes, parts: null };
      known.set(collection, numbers);
    }
    if (part === undefined) return numbers.all;
    numbers.parts ??= new Float64Array(SLOTS).fill(changes);
    return numbers.parts[slotOf(part)]!;
  };

  let refreshed: Promise<void> | undefined;
  /** Once for all that ask in one turn of the event loop: it takes longer than all else of an answer that is cached. */
  const refreshAfterTurn = (): Promise<void> =>
    (refreshed ??= setImmediate().then(() => {
      refreshed = undefined;
      refresh();
    }));

  return {
    of: async sources => {
      await refreshAfterTurn();
      return `${drops}:${sources.map(numberOf).join()}`;
    },
    wrote: (collection, writes) => {
      changes += 1;
      const numbers = known.get(collection);
      if (!numbers) return;
      numbers.all = changes;
      if (numbers.parts) for (const { id } of writes) mark(numbers.parts, id, changes);
    },
    dropped: () => {
      drops += 1;
      known.clear();
    },
  };
}

const SLASH = 0x2f;
/** FNV-1a of 32 bits, over UTF-16 code units: http://www.isthe.com/chongo/tech/comp/fnv */
const BASIS = 0x811c9dc5;
const PRIME = 0x01000193;
const hashed = (hash: number, unit: number): number => Math.imul(hash ^ unit, PRIME);
const slot = (hash: number): number => (hash ^ (hash >>> 16)) & (SLOTS - 1);

function slotOf(part: string): number {
  let hash = BASIS;
  for (let i = 0; i < part.length; i++) hash = hashed(hash, part.charCodeAt(i));
  return slot(hash);
}

/** An id belongs to the part equal to it, and to the part before its first `/`. */
function mark(parts: Float64Array, id: string, change: number): void {
  let hash = BASIS;
  let isHead = true;
  for (let i = 0; i < id.length; i++) {
    const unit = id.charCodeAt(i);
    if (isHead && unit === SLASH) {
      parts[slot(hash)] = change;
      isHead = false;
    }
    hash = hashed(hash, unit);
  }
  parts[slot(hash)] = change;
}
