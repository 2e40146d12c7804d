import { randomUUID } from 'node:crypto';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { openDatabase } from '../../sqlite/database';
import { UnusableDatabase } from '../../sqlite/errors';
import type { NewEvent } from '../../../../contracts/ports/event-store';
import { openSqliteEventStore } from './sqlite-event-store';

const folder = temporaryFolder();

const event = (data = {}): NewEvent => ({ id: randomUUID(), type: 'happened', data });

test('a file that is not a database, or of another schema version, is refused with its path', () => {
  const text = join(folder, 'text.db');
  writeFileSync(text, 'not a database at all, '.repeat(400));
  expect(() => openSqliteEventStore({ path: text })).toThrow(UnusableDatabase);
  expect(() => openSqliteEventStore({ path: text })).toThrow(`database ${text}: file is not a database`);
  const newer = join(folder, 'newer.db');
  const database = openDatabase(newer);
  database.exec('PRAGMA user_version = 99');
  database.close();
  expect(() => openSqliteEventStore({ path: newer })).toThrow('its schema is version 99');
});

test('a damaged page makes a read fail, and never returns wrong events', async () => {
  const path = join(folder, 'whole.db');
  const store = openSqliteEventStore({ path });
  for (let n = 0; n < 20; n += 1)
    await store.append(
      `s-${n}`,
      'no_stream',
      Array.from({ length: 20 }, () => event({ text: 'x'.repeat(300) })),
    );
  await store.close();
  const damaged = join(folder, 'damaged.db');
  copyFileSync(path, damaged);
  const bytes = readFileSync(damaged);
  bytes.fill(0xa5, 20 * 4096, bytes.length - 4096);
  writeFileSync(damaged, bytes);
  const broken = openSqliteEventStore({ path: damaged });
  const read = async (): Promise<void> => {
    for await (const batch of broken.readAll()) expect(batch[0]!.data).toEqual({ text: 'x'.repeat(300) });
  };
  await expect(read()).rejects.toMatchObject({ name: 'DamagedData', cause: { code: 'SQLITE_CORRUPT' } });
  await broken.close();
});

test('an event with a byte that is not UTF-8 is named; those before it and other categories are read', async () => {
  const path = join(folder, 'byte.db');
  const store = openSqliteEventStore({ path });
  for (const [stream, text] of [
    ['a-1', 'first'],
    ['a-2', 'second'],
    ['b-1', 'third'],
  ] as const)
    await store.append(stream, 'no_stream', [event({ text })]);
  await store.close();
  const bytes = readFileSync(path);
  bytes[bytes.indexOf('second')] = 0xff;
  writeFileSync(path, bytes);

  const damaged = openSqliteEventStore({ path });
  const read: unknown[] = [];
  const all = async (): Promise<void> => {
    for await (const batch of damaged.readAll()) read.push(...batch.map(({ data }) => data['text']));
  };
  await expect(all()).rejects.toMatchObject({ name: 'DamagedData', position: 1 });
  expect(read).toEqual(['first']);

  const stop = new AbortController();
  const followed: unknown[] = [];
  const follow = async (): Promise<void> => {
    for await (const { events, position } of damaged.subscribe({ after: -1, signal: stop.signal }))
      followed.push([events.length, position]);
  };
  await expect(follow()).rejects.toMatchObject({ position: 1 });
  expect(followed).toEqual([[1, 0]]);

  for await (const batch of damaged.readAll({ categories: ['b'] }))
    expect(batch[0]!.data).toEqual({ text: 'third' });
  expect(await damaged.append('a-3', 'no_stream', [event()])).toMatchObject({ position: 3 });
  await damaged.close();
});

test('appends wait for the lock of another process without blocking reads', async () => {
  const path = join(folder, 'locked.db');
  const store = openSqliteEventStore({ path });
  await store.append('s-1', 'no_stream', [event()]);
  const holder = openDatabase(path);
  holder.exec('BEGIN IMMEDIATE');
  let appended = false;
  const append = store.append('s-1', 0, [event()]).then(answer => {
    appended = true;
    return answer;
  });
  for (let n = 0; n < 20; n += 1) {
    for await (const { revision } of store.readStream('s-1')) expect(revision).toBe(0);
    await new Promise(resolve => setImmediate(resolve));
  }
  expect(appended).toBe(false);
  holder.exec('ROLLBACK');
  expect(await append).toMatchObject({ revision: 1 });
  holder.close();
  await store.close();
});

test('a deletion waits for the lock of another process', async () => {
  const path = join(folder, 'locked-deletion.db');
  const store = openSqliteEventStore({ path });
  await store.append('s-1', 'no_stream', [event(), event()]);
  const holder = openDatabase(path);
  holder.exec('BEGIN IMMEDIATE');
  let isDone = false;
  const deletion = store.deleteUpTo('s-1', 0).then(() => (isDone = true));
  deletion.catch(() => undefined); // awaited below
  for (let n = 0; n < 20; n += 1) await new Promise(resolve => setImmediate(resolve));
  expect(isDone).toBe(false);
  holder.exec('ROLLBACK');
  await deletion;
  for await (const { revision } of store.readStream('s-1')) expect(revision).toBe(1);
  holder.close();
  await store.close();
});

test('a failed transaction fails all its appends and leaves the state unchanged', async () => {
  const path = join(folder, 'full.db');
  const store = openSqliteEventStore({ path });
  const saboteur = openDatabase(path);
  saboteur.exec(`CREATE TRIGGER full BEFORE INSERT ON events WHEN NEW.type = 'too-much'
    BEGIN SELECT RAISE(ABORT, 'disk full'); END`);
  saboteur.close();
  await store.append('s-1', 'no_stream', [event()]);
  const lost = await Promise.allSettled([
    store.append('s-1', 0, [event()]),
    store.append('s-2', 'no_stream', [event(), { ...event(), type: 'too-much' }]),
  ]);
  expect(lost.map(outcome => outcome.status === 'rejected' && String(outcome.reason))).toEqual(
    Array(2).fill('SqliteError: disk full'),
  );
  expect(await store.append('s-1', 0, [event()])).toEqual({ revision: 1, position: 1 });
  expect(await store.append('s-2', 'no_stream', [event()])).toEqual({ revision: 0, position: 2 });
  await store.close();
});

test('pending appends finish before the store closes, and later ones are rejected', async () => {
  const path = join(folder, 'closed.db');
  const store = openSqliteEventStore({ path, clock: () => new Date('2026-01-02T03:04:05.678Z') });
  const append = store.append('s-1', 'no_stream', [event()]);
  await store.close();
  expect(await append).toEqual({ revision: 0, position: 0 });
  await expect(store.append('s-1', 0, [event()])).rejects.toThrow('closed');
  const next = openSqliteEventStore({ path });
  for await (const { created } of next.readStream('s-1')) expect(created).toBe('2026-01-02T03:04:05.678Z');
  await next.close();
});
