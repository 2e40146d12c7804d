import type { Commit, Document, Write } from '../../../../contracts/ports/documents';
import { CHECKSUM_BYTES, writeChecksum } from '../../sqlite/checksum';
import { bodyOf } from '../body';
import { fieldOf } from '../scalars';
import { validateWrites } from '../validate-writes';
import { writesByCollection } from '../writes-by-collection';
import type { Collection } from '../collection';
import { keyJsonOf } from './index-keys';

/** Rows `[id, key, ..., offset, length]` of a JSON list, and the bytes of the bodies they point to. */
export interface EncodedPuts {
  readonly rows: string;
  readonly bodies: Uint8Array;
}

/** Consecutive puts, or the ids of consecutive deletions as a JSON list. */
export type Run = EncodedPuts | string;

/** The writes to one collection. */
export interface EncodedWrites {
  readonly collection: string;
  /** The fields whose keys the rows have; null when the collection was unknown. */
  readonly fields: readonly string[] | null;
  /** All ids written, as a JSON list. */
  readonly ids: string;
  readonly runs: readonly Run[];
}

/** A commit as text and bytes, which can be transferred to another thread. */
export interface EncodedCommit {
  readonly groups: readonly EncodedWrites[];
  readonly checkpoint: Commit['checkpoint'];
  /** Size of its bodies. */
  readonly bytes: number;
}

const MAX_RUN = 2_000;
/** Fewer are not worth it. */
const MIN_SORTED = 100;

/** Runs of puts and of deletions, in order: a unique value can be taken only after the write that frees it. */
const runsOf = (writes: readonly Write[]): Write[][] => {
  const runs: Write[][] = [];
  for (const write of writes) {
    const last = runs.at(-1);
    const joins = last && (last[0]!.document === null) === (write.document === null);
    if (joins && last.length < MAX_RUN) last.push(write);
    else runs.push([write]);
  }
  return runs;
};

const NO_CHECKSUM = ' '.repeat(CHECKSUM_BYTES);

/** The bodies are kept out of the JSON, so that SQLite neither parses nor unescapes them. */
const putsOf = (fields: readonly string[], documents: readonly Document[]): EncodedPuts => {
  const bodies = documents.map(document => NO_CHECKSUM + bodyOf(document));
  const text = bodies.join('');
  // Not from Node's buffer pool: it may be transferred to another thread.
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
    writeChecksum(bytes.subarray(offset - 1, offset - 1 + length));
    offset += length;
  }
  return { rows: `${rows}]`, bodies: bytes };
};

/**
 * In the order of the widest index, so that neighbours in the indexes are inserted together: of thousands of documents that
 * takes a third less time. Not with a unique value, which one document may take only after another write has freed it.
 */
const inIndexOrder = ({ indexes }: Collection, writes: readonly Write[]): readonly Write[] => {
  const [first, ...others] = indexes;
  if (!first || writes.length < MIN_SORTED || indexes.some(({ unique }) => unique)) return writes;
  const { fields } = others.reduce((a, b) => (b.fields.length > a.fields.length ? b : a), first);
  const keyOf = (document: Document): string =>
    fields.map(([field]) => keyJsonOf(fieldOf(document, field))).join();
  const keyed = writes.map(write => ({ write, key: write.document ? keyOf(write.document) : '' }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ write }) => write);
};

export function idsJson(ids: readonly string[]): string {
  return `[${ids.map(keyJsonOf).join(',')}]`;
}

const encodeWrites = (
  name: string,
  collection: Collection | undefined,
  writes: readonly Write[],
): EncodedWrites => {
  if (!collection) return { collection: name, fields: null, ids: '[]', runs: [] };
  const { fields } = collection;
  const runs = runsOf(inIndexOrder(collection, writes)).map((run): Run => {
    const documents = run.flatMap(({ document }) => document ?? []);
    return documents.length > 0 ? putsOf(fields, documents) : idsJson(run.map(({ id }) => id));
  });
  return { collection: name, fields, ids: idsJson(writes.map(({ id }) => id)), runs };
};

/**
 * @throws TypeError for invalid writes, and for a document that cannot be indexed
 */
export function encode(
  { writes, checkpoint }: Commit,
  find: (name: string) => Collection | undefined,
): EncodedCommit {
  validateWrites(writes);
  const groups = Array.from(writesByCollection(writes), ([name, group]) =>
    encodeWrites(name, find(name), group),
  );
  const runs = groups.flatMap(group => group.runs);
  const bytes = runs.reduce((sum, run) => sum + (typeof run === 'string' ? 0 : run.bodies.length), 0);
  return { groups, checkpoint, bytes };
}
