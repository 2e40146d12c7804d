import type { Commit, Document, Write } from '../../../../contracts/ports/documents';
import { fieldOf } from '../scalars';
import { checkWrites } from '../writes';
import type { Collection } from './catalog';
import { keyJsonOf } from './keys';

/** Rows `[id, key, ..., offset, length]` of a JSON list, and the bytes of the bodies they point to. */
export interface Puts {
  readonly rows: string;
  readonly bodies: Uint8Array;
}

/** A stretch of puts, or the ids of a stretch of deletions as a JSON list. */
export type Run = Puts | string;

/** The writes to one collection. */
export interface EncodedWrites {
  readonly collection: string;
  /** The fields that the rows hold the keys of; null when the collection was not known. */
  readonly fields: readonly string[] | null;
  /** All ids written, as a JSON list. */
  readonly ids: string;
  readonly runs: readonly Run[];
}

/** A commit as text and bytes: what is left to do needs no document, and can be done by another thread. */
export interface EncodedCommit {
  readonly groups: readonly EncodedWrites[];
  readonly checkpoint: Commit['checkpoint'];
  /** Of its bodies. */
  readonly bytes: number;
}

const MOST_IN_RUN = 2_000;

/** Stretches of puts and of deletions, so that a value freed by one write can be taken by a later one, and not earlier. */
const runsOf = (writes: readonly Write[]): Write[][] => {
  const runs: Write[][] = [];
  for (const write of writes) {
    const last = runs.at(-1);
    const joins = last && (last[0]!.document === null) === (write.document === null);
    if (joins && last.length < MOST_IN_RUN) last.push(write);
    else runs.push([write]);
  }
  return runs;
};

/** Bodies travel outside the JSON: SQLite then neither parses nor unescapes them. */
const putsOf = (fields: readonly string[], documents: readonly Document[]): Puts => {
  const bodies = documents.map(document => JSON.stringify(document));
  const text = bodies.join('');
  // Memory of its own, not a piece of the pool: it may be handed to another thread.
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  const isAscii = bytes.length === text.length;
  let offset = 1;
  let rows = '';
  for (const [i, document] of documents.entries()) {
    const length = isAscii ? bodies[i]!.length : Buffer.byteLength(bodies[i]!);
    let row = `[${keyJsonOf(document._id)},`;
    for (const field of fields) row += `${keyJsonOf(fieldOf(document, field))},`;
    rows += `${i === 0 ? '[' : ','}${row}${offset},${length}]`;
    offset += length;
  }
  return { rows: `${rows}]`, bodies: bytes };
};

export function idsJson(ids: readonly string[]): string {
  return `[${ids.map(keyJsonOf).join(',')}]`;
}

const encodeWrites = (
  collection: string,
  fields: readonly string[] | null,
  writes: readonly Write[],
): EncodedWrites => {
  if (!fields) return { collection, fields, ids: '[]', runs: [] };
  const runs = runsOf(writes).map((run): Run => {
    const documents = run.flatMap(({ document }) => document ?? []);
    return documents.length > 0 ? putsOf(fields, documents) : idsJson(run.map(({ id }) => id));
  });
  return { collection, fields, ids: idsJson(writes.map(({ id }) => id)), runs };
};

/**
 * @param find the collection as it is, if there is one
 * @throws TypeError for writes that contradict each other or themselves, and for a document that cannot be indexed
 */
export function encode(
  { writes, checkpoint }: Commit,
  find: (name: string) => Collection | undefined,
): EncodedCommit {
  checkWrites(writes);
  const groups = Array.from(byCollection(writes), ([name, group]) =>
    encodeWrites(name, find(name)?.fields ?? null, group),
  );
  const runs = groups.flatMap(group => group.runs);
  const bytes = runs.reduce((sum, run) => sum + (typeof run === 'string' ? 0 : run.bodies.length), 0);
  return { groups, checkpoint, bytes };
}

const byCollection = (writes: readonly Write[]): ReadonlyMap<string, readonly Write[]> => {
  const groups = new Map<string, Write[]>();
  for (const write of writes) {
    const group = groups.get(write.collection);
    if (group) group.push(write);
    else groups.set(write.collection, [write]);
  }
  return groups;
};
