import { join } from 'node:path';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { type Database, openDatabase } from '../../sqlite/database';
import { type WatchedCounters, watchCounters } from './watched-counters';

const folder = temporaryFolder();
const path = join(folder, 'counters.db');
let database: Database;
let counters: WatchedCounters;
const grow = (id: number, by: Database = database): unknown =>
  by.prepare('UPDATE counters SET value = value + 1 WHERE id = ?').run([id]);
const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

beforeEach(() => {
  database = openDatabase(path);
  database.exec(`CREATE TABLE counters (id INTEGER PRIMARY KEY, value INTEGER);
    INSERT INTO counters VALUES (1, 0), (2, 0)`);
  counters = watchCounters(database, 'SELECT id, value FROM counters');
});
afterEach(() => {
  database.exec('DROP TABLE counters');
  database.close();
});

test('resolves waiters whose counter has grown, and no others', async () => {
  const woken: string[] = [];
  const waiting = [
    counters.waitUntilAbove(1, 0).then(() => woken.push('1 beyond 0')),
    counters.waitUntilAbove(1, 1).then(() => woken.push('1 beyond 1')),
    counters.waitUntilAbove(2, 0).then(() => woken.push('2 beyond 0')),
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

test('does not wait for past growth, whether or not there are other waiters', async () => {
  grow(1);
  expect(await counters.waitUntilAbove(1, 0)).toBe(true);
  const other = counters.waitUntilAbove(2, 0);
  grow(1);
  await turn();
  expect(await counters.waitUntilAbove(1, 1)).toBe(true);
  grow(2);
  expect(await other).toBe(true);
});

test('reads the counters once for all that begin to wait in one turn', async () => {
  let reads = 0;
  const counted: Database = {
    ...database,
    prepare: sql => {
      const statement = database.prepare(sql);
      return { ...statement, all: (params: never) => ((reads += 1), statement.all(params)) } as never;
    },
  };
  counters = watchCounters(counted, 'SELECT id, value FROM counters');
  const waiting = [1, 2, 1, 2].map(id => counters.waitUntilAbove(id, 0));
  await turn();
  await turn();
  expect(reads).toBe(2);
  grow(1);
  grow(2);
  expect(await Promise.all(waiting)).toEqual([true, true, true, true]);
});

test('notices other connections', async () => {
  const other = openDatabase(path);
  const waiting = counters.waitUntilAbove(1, 0);
  grow(1, other);
  expect(await waiting).toBe(true);
  other.close();
});

test('can be waited for again after an idle period', async () => {
  for (let value = 0; value < 3; value += 1) {
    const waiting = counters.waitUntilAbove(1, value);
    grow(1);
    expect(await waiting).toBe(true);
    await turn();
  }
});

test('ends on timeout, abort and close', async () => {
  const end = new AbortController();
  expect(await counters.waitUntilAbove(1, 0, { timeoutMs: 1 })).toBe(false);
  const stopped = counters.waitUntilAbove(1, 0, { signal: end.signal });
  end.abort();
  expect(await stopped).toBe(false);
  expect(await counters.waitUntilAbove(1, -1, { signal: end.signal })).toBe(false);
  const other = openDatabase(path);
  const closed = watchCounters(other, 'SELECT id, value FROM counters').waitUntilAbove(1, 0);
  other.close();
  expect(await closed).toBe(false);
});

test('rejects waiters when the counters cannot be read', async () => {
  const other = openDatabase(path);
  const failing = watchCounters(other, 'SELECT id, value FROM counters').waitUntilAbove(1, 0);
  database.exec('ALTER TABLE counters RENAME TO hidden');
  await expect(failing).rejects.toThrow('no such table');
  database.exec('ALTER TABLE hidden RENAME TO counters');
  other.close();
});
