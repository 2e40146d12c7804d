import type { Database } from '../../sqlite/database';
import type { Collection } from './catalog';
import { tally } from './counters';
import type { EncodedWrites, Puts } from './encode';
import { columnOf, quoted } from './layout';

const upsertSql = ({ name, fields }: Collection): string => {
  const columns = fields.map(columnOf);
  const n = columns.length;
  const values = [...columns.keys(), n].map(i => `value ->> ${i}`);
  return `INSERT INTO ${quoted(name)} (${['id', ...columns, 'body'].join(', ')})
    SELECT ${values.join(', ')}, CAST(substr(?2, value ->> ${n + 1}, value ->> ${n + 2}) AS TEXT)
    FROM json_each(?1) WHERE true
    ON CONFLICT (id) DO UPDATE SET ${[...columns, 'body'].map(column => `${column} = excluded.${column}`).join(', ')}`;
};

const put = (db: Database, collection: Collection, { rows, bodies }: Puts): void => {
  db.prepare(upsertSql(collection)).run([rows, bodies]);
};

const remove = (db: Database, { name }: Collection, ids: string): void => {
  db.prepare(`DELETE FROM ${quoted(name)} WHERE id IN (SELECT value FROM json_each(?))`).run([ids]);
};

/**
 * Writes to one collection: a statement for each stretch of puts or deletions, and two for each set of fields counted.
 * Inside a transaction.
 */
export function writeAll(db: Database, collection: Collection, { ids, runs }: EncodedWrites): void {
  tally(db, collection, ids, -1);
  for (const run of runs)
    if (typeof run === 'string') remove(db, collection, run);
    else put(db, collection, run);
  tally(db, collection, ids, 1);
}
