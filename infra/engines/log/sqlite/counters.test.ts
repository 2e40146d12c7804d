import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../sqlite/database';
import { type Counters, createCounters } from './counters';

const folder = mkdtempSync(join(tmpdir(), 'log-counters-'));
const path = join(folder, 'counters.db');
let database: Database;
let counters: Counters;
const grow = (id: number, by: Database = database): unknown =>
  by.prepare('UPDATE counters SET value = value + 1 WHERE id = ?').run([id]);
const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

beforeEach(() => {
  database = openDatabase(path);
  database.exec(`CREATE TABLE counters (id INTEGER PRIMARY KEY, value INTEGER);
    INSERT INTO counters VALUES (1, 0), (2, 0)`);
  counters = createCounters(database, 'SELECT id, value FROM counters');
});
afterEach(() => {
  database.exec('DROP TABLE counters');
  database.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

test('wakes those whose counter has grown, and nobody else', async () => {
  const woken: string[] = [];
  const waiting = [
    counters.beyond(1, 0).then(() => woken.push('1 beyond 0')),
    counters.beyond(1, 1).then(() => woken.push('1 beyond 1')),
    counters.beyond(2, 0).then(() => woken.push('2 beyond 0')),
  ];
  grow(1);
  await waiting[0];
  expect(woken).toEqual(['1 beyond 0']);
  grow(2);
  await waiting[2];
  grow(1);
  await waiting[1];
  expect(woken).toEqual(['1 beyond 0', '2 beyond 0', '1 beyond 1']);
});

test('does not wait for what has been, whether somebody else waits or not', async () => {
  grow(1);
  expect(await counters.beyond(1, 0)).toBe(true);
  const other = counters.beyond(2, 0);
  grow(1);
  await turn();
  expect(await counters.beyond(1, 1)).toBe(true);
  grow(2);
  expect(await other).toBe(true);
});

test('hears of other connections', async () => {
  const other = openDatabase(path);
  const waiting = counters.beyond(1, 0);
  grow(1, other);
  expect(await waiting).toBe(true);
  other.close();
});

test('can be waited for again after a rest', async () => {
  for (let value = 0; value < 3; value += 1) {
    const waiting = counters.beyond(1, value);
    grow(1);
    expect(await waiting).toBe(true);
    await turn();
  }
});

test('gives up at the time-out, at the signal and when the database is closed', async () => {
  const end = new AbortController();
  expect(await counters.beyond(1, 0, { timeout: 1 })).toBe(false);
  const stopped = counters.beyond(1, 0, { signal: end.signal });
  end.abort();
  expect(await stopped).toBe(false);
  expect(await counters.beyond(1, -1, { signal: end.signal })).toBe(false);
  const other = openDatabase(path);
  const closed = createCounters(other, 'SELECT id, value FROM counters').beyond(1, 0);
  other.close();
  expect(await closed).toBe(false);
});

test('fails those who wait when it cannot look', async () => {
  const other = openDatabase(path);
  const failing = createCounters(other, 'SELECT id, value FROM counters').beyond(1, 0);
  database.exec('ALTER TABLE counters RENAME TO hidden');
  await expect(failing).rejects.toThrow('no such table');
  database.exec('ALTER TABLE hidden RENAME TO counters');
  other.close();
});
