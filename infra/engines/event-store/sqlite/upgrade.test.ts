import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../sqlite/database';
import type { RecordedEvent } from '../../../../contracts/ports/event-store';
import { openSqliteEventStore } from './sqlite-event-store';

const folder = mkdtempSync(join(tmpdir(), 'event-store-upgrade-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** As the program laid files out before; frozen. */
const LAYOUT_1 = `
  CREATE TABLE categories (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE streams (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, category INTEGER NOT NULL) STRICT;
  CREATE TABLE events (position INTEGER PRIMARY KEY, stream INTEGER NOT NULL, category INTEGER NOT NULL,
    revision INTEGER NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL, data TEXT NOT NULL, metadata TEXT NOT NULL,
    created INTEGER NOT NULL) STRICT;
  CREATE UNIQUE INDEX events_by_stream ON events (stream, revision);
  CREATE INDEX events_by_id ON events (stream, substr(id, -8));
  CREATE INDEX events_by_category ON events (category);
  INSERT INTO categories VALUES (1, 'fee');
  INSERT INTO streams VALUES (1, 'fee-1', 1);
  PRAGMA user_version=1`;

test('a file of layout 1 is brought to this layout, with its events and the memory of their ids', async () => {
  const path = join(folder, 'events.db');
  const ids = Array.from({ length: 150 }, () => randomUUID());
  const old = openDatabase(path);
  old.exec(LAYOUT_1);
  const insert = old.prepare(`INSERT INTO events VALUES (?1, 1, 1, ?1, ?2, 'happened', '{}', '{}', 0)`);
  ids.forEach((id, revision) => insert.run([revision, id]));
  old.close();

  for (const opening of ['first', 'second']) {
    const store = openSqliteEventStore({ path });
    const events: RecordedEvent[] = [];
    for await (const event of store.readStream('fee-1')) events.push(event);
    expect(events.map(({ id }) => id)).toEqual(ids);
    const repeated = { id: ids[70]!, type: 'happened', data: {} };
    expect([opening, await store.append('fee-1', 'any', [repeated])]).toEqual([
      opening,
      { revision: 70, position: 70 },
    ]);
    await store.close();
  }
  const database = openDatabase(path);
  expect(database.prepare('PRAGMA integrity_check').all()).toEqual([['ok']]);
  database.close();
});

test('an append of another length than a statement takes is stored in order', async () => {
  const store = openSqliteEventStore({ path: join(folder, 'lengths.db') });
  let revision = -1;
  for (const length of [1, 63, 64, 65, 127, 200]) {
    const events = Array.from({ length }, (_, n) => ({ id: randomUUID(), type: 'happened', data: { n } }));
    const expected = revision < 0 ? 'no_stream' : revision;
    await store.append('fee-1', expected, events);
    const found: RecordedEvent[] = [];
    for await (const event of store.readStream('fee-1', { from: revision + 1 })) found.push(event);
    expect(found.map(({ id, data }) => ({ id, data }))).toEqual(events.map(({ id, data }) => ({ id, data })));
    revision += length;
    expect(found.at(-1)).toMatchObject({ revision, position: revision });
  }
  await store.close();
});
