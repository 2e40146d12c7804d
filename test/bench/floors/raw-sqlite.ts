// The floor is the bare driver, without the guard that everything else goes through.
// eslint-disable-next-line @typescript-eslint/no-restricted-imports
import Libsql from 'libsql';
import { DDL } from '../../../infra/event-store/schema';
import type { NewEvent } from '../../../infra/event-store/port';

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

/** What a program would write that has the same tables and one writer, and checks nothing. */
export function openRawSqlite(path: string): RawStore {
  const database = new Libsql(path);
  database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL');
  database.exec('PRAGMA wal_autocheckpoint=16384; PRAGMA cache_size=-65536');
  database.exec(`${DDL}; INSERT INTO categories (id, name) VALUES (1, 'bench')`);
  const addStream = database.prepare('INSERT INTO streams (id, name, category) VALUES (?, ?, 1)');
  const insert = database.prepare(
    `INSERT INTO events (position, stream, category, revision, id, type, data, metadata, created)
     SELECT ?1 + key, value ->> 0, 1, value ->> 1, value ->> 2, value ->> 3, value ->> 4, '{}', ?2
     FROM json_each(?3)`,
  );
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
      const rows = portions.flatMap(({ stream, events }) => {
        const head = headOf(stream);
        return events.map(({ id, type, data }) => [head.id, head.next++, id, type, JSON.stringify(data)]);
      });
      insert.run([position, Date.now(), JSON.stringify(rows)]);
      database.exec('COMMIT');
      position += rows.length;
    },
    count: () => (database.prepare('SELECT count(*) FROM events').raw().get([]) as [number])[0],
    close: () => database.close(),
  };
}
