import type { Database } from '../../sqlite/database';
import type { Document, Write } from '../port';
import { fieldOf } from '../scalars';
import type { Collection } from './catalog';
import { tally } from './counters';
import { keyJson, keyOf } from './keys';
import { columnOf, quoted } from './layout';

/** Rows `[id, key, ..., offset, length]` of a JSON list, and the bytes of the bodies they point to. */
interface Batch {
  readonly rows: string;
  readonly bodies: Buffer;
}

/** Bodies travel outside the JSON: SQLite then neither parses nor unescapes them. */
const batchOf = (fields: readonly string[], documents: readonly Document[]): Batch => {
  let offset = 1;
  const bodies: string[] = [];
  const rows = documents.map(document => {
    const body = JSON.stringify(document);
    const length = Buffer.byteLength(body);
    const keys = fields.map(field => keyJson(keyOf(fieldOf(document, field))));
    const row = `[${[keyJson(keyOf(document._id)), ...keys, offset, length].join(',')}]`;
    bodies.push(body);
    offset += length;
    return row;
  });
  return { rows: `[${rows.join(',')}]`, bodies: Buffer.from(bodies.join('')) };
};

const upsertSql = ({ name, fields }: Collection): string => {
  const columns = fields.map(columnOf);
  const n = columns.length;
  const values = [...columns.keys(), n].map(i => `value ->> ${i}`);
  return `INSERT INTO ${quoted(name)} (${['id', ...columns, 'body'].join(', ')})
    SELECT ${values.join(', ')}, CAST(substr(?2, value ->> ${n + 1}, value ->> ${n + 2}) AS TEXT)
    FROM json_each(?1) WHERE true
    ON CONFLICT (id) DO UPDATE SET ${[...columns, 'body'].map(column => `${column} = excluded.${column}`).join(', ')}`;
};

const put = (db: Database, collection: Collection, documents: readonly Document[]): void => {
  const { rows, bodies } = batchOf(collection.fields, documents);
  db.prepare(upsertSql(collection)).run([rows, bodies]);
};

const remove = (db: Database, { name }: Collection, ids: string): void => {
  db.prepare(`DELETE FROM ${quoted(name)} WHERE id IN (SELECT value FROM json_each(?))`).run([ids]);
};

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

export const idsJson = (ids: readonly string[]): string => `[${ids.map(id => keyJson(keyOf(id))).join(',')}]`;

/**
 * Writes to one collection: a statement for each stretch of puts or deletions (none too long to hold as text), and two for each set of fields counted.
 * Inside a transaction.
 * @throws TypeError for a document that is not stored under its `_id` or cannot be indexed
 */
export const writeAll = (db: Database, collection: Collection, writes: readonly Write[]): void => {
  const ids = idsJson(writes.map(({ id }) => id));
  tally(db, collection, ids, -1);
  for (const run of runsOf(writes)) {
    const documents = run.flatMap(({ document }) => document ?? []);
    if (documents.length > 0) put(db, collection, documents);
    else remove(db, collection, idsJson(run.map(({ id }) => id)));
  }
  tally(db, collection, ids, 1);
};

/** @throws TypeError for writes that contradict each other or themselves */
export const byCollection = (writes: readonly Write[]): ReadonlyMap<string, readonly Write[]> => {
  const grouped = new Map<string, Map<string, Write>>();
  for (const write of writes) {
    const { collection, id, document } = write;
    if (id === '' || (document && document._id !== id))
      throw new TypeError(`${collection}: document ${document?._id} written as "${id}"`);
    const group = grouped.get(collection) ?? new Map<string, Write>();
    if (group.has(id)) throw new TypeError(`${collection}: document ${id} twice in one commit`);
    grouped.set(collection, group.set(id, write));
  }
  return new Map([...grouped].map(([collection, group]) => [collection, [...group.values()]]));
};
