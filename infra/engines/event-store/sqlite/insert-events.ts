import type { Database } from '../../sqlite/database';
import type { SqlValue } from '../../sqlite/bind-values';

/** One event: stream, category, revision, id, type, data, metadata, checksum. */
export type EventInsertRow = readonly [number, number, number, string, string, string, string, number];

const COLUMNS = 8;
/** More rows in a statement are no faster, and each number of rows needs a prepared statement of its own. */
const MAX_ROWS = 64;

const insertSql = (rows: number): string => {
  const row = (index: number): string => {
    const values = Array.from({ length: COLUMNS }, (_, column) => `?${index * COLUMNS + column + 3}`);
    return `(?1 + ${index}, ?2, ${values.join()})`;
  };
  return `INSERT INTO events (position, created, stream, category, revision, id, type, data, metadata, checksum)
    VALUES ${Array.from({ length: rows }, (_, index) => row(index)).join()}`;
};

/** Inserts rows at consecutive positions, in statements whose numbers of rows are powers of two. */
export function createEventInsert(database: Database) {
  const statements = new Map<number, ReturnType<Database['prepare']>>();
  const statement = (rows: number) => {
    const known = statements.get(rows) ?? database.prepare(insertSql(rows));
    statements.set(rows, known);
    return known;
  };
  return (position: number, created: number, rows: readonly EventInsertRow[]): void => {
    for (let at = 0, count = MAX_ROWS; at < rows.length; at += count) {
      while (count > rows.length - at) count /= 2;
      const values: SqlValue[] = [position + at, created];
      for (let i = at; i < at + count; i += 1) values.push(...rows[i]!);
      statement(count).run(values);
    }
  };
}
