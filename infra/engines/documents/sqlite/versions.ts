import type { Database } from '../../sqlite/database';
import type { Source, Write } from '../../../../contracts/ports/documents';

/** Which documents were last changed when, as far as anybody has asked. */
export interface Versions {
  of(sources: readonly Source[]): string;
  /** Notes a commit of this connection, inside its transaction: nobody reads between the two. */
  wrote(collection: string, writes: readonly Write[]): void;
  /** A collection that is made again under the same name is another one. */
  dropped(): void;
}

/** Parts share their numbers by hash: memory is bounded, and a change of one part may be taken for one of another. */
const SLOTS = 4_096;

interface Numbers {
  /** As the file has it: the last commit to the collection, by anybody, when it was looked at. */
  changed: number | null;
  /** The last change to the collection. */
  all: number;
  /** The last change to each slot; made when somebody asks for a part. */
  parts: Float64Array | null;
}

/**
 * Own commits are known to the document. Of those of other connections SQLite only tells that there were some; the file
 * then tells to which collections, of which all parts count as changed.
 */
export function trackVersions(db: Database): Versions {
  const one = db.prepare<[number]>('SELECT changed FROM _collections WHERE name = ?');
  const all = db.prepare<[string, number]>('SELECT name, changed FROM _collections');
  const known = new Map<string, Numbers>();
  let others = db.commits.mark().others;
  let changes = 0;
  let drops = 0;

  const look = (): void => {
    const now = db.commits.mark().others;
    if (now === others) return;
    // Noted before the file is read: what is committed in between is looked at again.
    others = now;
    changes += 1;
    const file = new Map(all.all());
    for (const [name, numbers] of known) {
      const changed = file.get(name) ?? null;
      if (changed === numbers.changed) continue;
      numbers.changed = changed;
      numbers.all = changes;
      numbers.parts?.fill(changes);
    }
  };

  const numberOf = ({ collection, part }: Source): number => {
    let numbers = known.get(collection);
    if (!numbers) {
      numbers = { changed: one.get([collection])?.[0] ?? null, all: changes, parts: null };
      known.set(collection, numbers);
    }
    if (part === undefined) return numbers.all;
    numbers.parts ??= new Float64Array(SLOTS).fill(changes);
    return numbers.parts[slotOf(part)]!;
  };

  return {
    of: sources => {
      look();
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

/** An id concerns the part that it is, and the one that it begins with up to its first `/`. */
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
