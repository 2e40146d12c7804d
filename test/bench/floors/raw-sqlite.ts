// The floor is the bare driver, without our wrapper.
import Libsql from 'libsql';
import { SCHEMA } from '../../../infra/engines/event-store/sqlite/schema';
import type { NewEvent } from '../../../contracts/ports/event-store';

/** The events that go to one stream with one commit. */
export interface Portion {
  readonly stream: string;
  readonly events: readonly NewEvent[];
}

export interface RawStore {
  commit(portions: readonly Portion[]): void;
  count(): number;
  close(): void;
}

/** A single writer on the same tables, without any checks. */
export function openRawSqlite(path: string): RawStore {
  const database = new Libsql(path);
  database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL');
  database.exec('PRAGMA wal_autocheckpoint=16384; PRAGMA cache_size=-65536');
  database.exec(`${SCHEMA}; INSERT INTO categories (id, name) VALUES (1, 'bench')`);
  const addStream = database.prepare('INSERT INTO streams (id, name, category) VALUES (?, ?, 1)');
  const insert = insertInto(database);
  const heads = new Map<string, { readonly id: number; next: number }>();
  let position = 0;

  const headOf = (stream: string) => {
    const known = heads.get(stream);
    if (known) return known;
    const head = { id: heads.size + 1, next: 0 };
    addStream.run([head.id, stream]);
    heads.set(stream, head);
    return head;
  };
  return {
    commit(portions) {
      database.exec('BEGIN IMMEDIATE');
      const now = Date.now();
      const rows = portions.flatMap(({ stream, events }) => {
        const head = headOf(stream);
        return events.map(({ id, type, data }) => [
          position++,
          head.id,
          head.next++,
          id,
          type,
          JSON.stringify(data),
          now,
        ]);
      });
      insert(rows);
      database.exec('COMMIT');
    },
    count: () => (database.prepare('SELECT count(*) FROM events').raw().get([]) as [number])[0],
    close: () => database.close(),
  };
}

/** The fastest of 1, 20, 50 or 100 rows a statement, or all as one JSON text. */
const ROWS = 50;

function insertInto(database: InstanceType<typeof Libsql>): (rows: readonly (string | number)[][]) => void {
  const statement = (rows: number) =>
    database.prepare(
      `INSERT INTO events (position, stream, category, revision, id, type, data, metadata, created, checksum)
       VALUES ${Array.from({ length: rows }, () => "(?, ?, 1, ?, ?, ?, ?, '{}', ?, 0)").join()}`,
    );
  const [many, one] = [statement(ROWS), statement(1)];
  return rows => {
    const whole = rows.length - (rows.length % ROWS);
    for (let at = 0; at < whole; at += ROWS) many.run(rows.slice(at, at + ROWS).flat());
    for (const row of rows.slice(whole)) one.run(row);
  };
}
