import { cpSync, linkSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '../../../test/temporary-folder';
import { type Database, openDatabase } from './database';
import { isBusy, isUniqueViolation, UnusableDatabase } from './errors';
import { ensureSchema } from './schema';

const folder = temporaryFolder();
let opened: Database[] = [];
let path = '';
const open = (): Database => {
  const database = openDatabase(path, { busyTimeoutMs: 20 });
  opened.push(database);
  return database;
};
const thrown = (body: () => unknown): unknown => {
  try {
    body();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
};

beforeEach(() => {
  path = join(folder, `${expect.getState().currentTestName!.replace(/\W+/g, '-')}.db`);
});
afterEach(() => {
  for (const database of opened) database.close();
  opened = [];
});

describe('a database', () => {
  test('is durable and waits for locks', () => {
    const database = open();
    const settings = ['journal_mode', 'synchronous', 'wal_autocheckpoint', 'cache_size', 'busy_timeout'];
    expect(settings.map(name => database.prepare<[unknown]>(`PRAGMA ${name}`).get()![0])).toEqual([
      'wal',
      2,
      16384,
      -12288,
      20,
    ]);
  });

  test('returns rows as tuples, whole numbers as integers and bytes as buffers', () => {
    const database = open();
    const row = database.prepare('SELECT ?1, typeof(?1), ?2, typeof(?2), ?3, ?4, typeof(?4)');
    expect(row.get([7, 1.5, null, Buffer.from('text')])).toEqual([
      7,
      'integer',
      1.5,
      'real',
      null,
      Buffer.from('text'),
      'blob',
    ]);
    expect(database.prepare("SELECT '9223372036854775807' = ?").get([2n ** 63n - 1n])).toEqual([0]);
    expect(database.prepare('SELECT CAST(? AS TEXT)').get([2n ** 63n - 1n])).toEqual(['9223372036854775807']);
  });

  test('prepares a statement once', () => {
    const database = open();
    expect(database.prepare('SELECT 1')).toBe(database.prepare('SELECT 1'));
  });

  test('returns all rows of a long result', () => {
    const database = open();
    const numbers = database.prepare<[number]>(
      'WITH RECURSIVE n (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < ?) SELECT n FROM n',
    );
    for (const count of [1, 99, 100, 101, 1000]) expect(numbers.all([count]).at(-1)).toEqual([count]);
    expect(numbers.all([1000])).toHaveLength(1000);
  });

  test('throws when it is closed', () => {
    const database = open();
    const one = database.prepare('SELECT 1');
    database.close();
    database.close();
    for (const use of [
      () => one.get(),
      () => database.prepare('SELECT 1'),
      () => database.transaction(() => 1),
    ])
      expect(use).toThrow(`${path} is closed`);
  });

  test('distinguishes unique violations from other errors', () => {
    const database = open();
    database.exec('CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT UNIQUE, c TEXT NOT NULL) STRICT');
    const insert = database.prepare('INSERT INTO t VALUES (?, ?, ?)');
    insert.run([1, 'a', 'c']);
    expect(isUniqueViolation(thrown(() => insert.run([2, 'a', 'c'])))).toBe(true);
    expect(isUniqueViolation(thrown(() => insert.run([1, 'b', 'c'])))).toBe(true);
    expect(isUniqueViolation(thrown(() => insert.run([3, 'c', null])))).toBe(false);
  });
});

describe('a transaction', () => {
  const table = (): Database => {
    const database = open();
    database.exec('CREATE TABLE t (a)');
    return database;
  };
  const count = (database: Database): number =>
    database.prepare<[number]>('SELECT count(*) FROM t').get()![0];
  const insert = (database: Database): unknown => database.prepare('INSERT INTO t VALUES (?)').run([1]);

  test('writes everything or nothing', () => {
    const database = table();
    expect(database.transaction(() => (insert(database), insert(database), 'done'))).toBe('done');
    const failure = new Error('no');
    expect(
      thrown(() =>
        database.transaction(() => {
          insert(database);
          throw failure;
        }),
      ),
    ).toBe(failure);
    expect(count(database)).toBe(2);
  });

  test('rejects an asynchronous body and nesting, without leaving a lock', () => {
    const database = table();
    expect(() => database.transaction(() => Promise.resolve(insert(database)))).toThrow('synchronous');
    expect(() => database.transaction(() => database.transaction(() => insert(database)))).toThrow('nest');
    expect(count(database)).toBe(0);
    insert(open());
    expect(count(database)).toBe(1);
  });

  test('is flushed unless it need not be durable, and so is the next one whatever became of it', () => {
    const database = table();
    const FULL = 2;
    const flushing = (): number => database.prepare<[number]>('PRAGMA synchronous').get()![0];
    const outcome = () => (insert(database), flushing());
    expect(database.transaction(outcome)).toBe(FULL);
    expect(database.transaction(outcome, { durable: false })).toBeLessThan(FULL);
    const fails = (): void =>
      database.transaction(
        () => {
          throw new Error('no');
        },
        { durable: false },
      );
    expect(fails).toThrow('no');
    open().transaction(() => expect(isBusy(thrown(fails))).toBe(true));
    expect(database.transaction(outcome)).toBe(FULL);
    expect(count(database)).toBe(3);
  });

  test('of another connection makes it wait, then throw SQLITE_BUSY', () => {
    const [one, other] = [table(), open()];
    one.transaction(() => {
      expect(isBusy(thrown(() => other.transaction(() => 1)))).toBe(true);
      expect(isBusy(thrown(() => insert(other)))).toBe(true);
      expect(count(other)).toBe(0);
    });
    insert(other);
  });
});

describe('the WAL', () => {
  const MEBIBYTE = 1024 * 1024;
  const walBytes = (): number => statSync(`${path}-wal`).size;
  const openTrimming = (): Database => {
    const database = openDatabase(path, { trimWalMs: 50 });
    opened.push(database);
    database.exec('CREATE TABLE IF NOT EXISTS t (a)');
    return database;
  };
  const writeMebibytes = (database: Database, count: number): void =>
    void database.prepare('INSERT INTO t VALUES (zeroblob(?))').run([count * MEBIBYTE]);
  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await sleep(10);
  };

  test('is truncated some time after it has grown, once nobody reads', async () => {
    const database = openTrimming();
    const reader = open();
    writeMebibytes(database, 5);
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM t').get();
    writeMebibytes(database, 5);
    expect(walBytes()).toBeGreaterThan(10 * MEBIBYTE);
    await sleep(100);
    expect(walBytes()).toBeGreaterThan(10 * MEBIBYTE);
    reader.exec('COMMIT');
    writeMebibytes(database, 1);
    await until(() => walBytes() === 0);
    expect(reader.prepare('SELECT sum(length(a)) FROM t').get()).toEqual([11 * MEBIBYTE]);
  });

  test('stays as it is while it is small', async () => {
    const database = openTrimming();
    writeMebibytes(database, 1);
    await sleep(100);
    expect(walBytes()).toBeGreaterThan(MEBIBYTE);
    expect(database.prepare('PRAGMA busy_timeout').get()).toEqual([10_000]);
  });
});

describe('a file that cannot be used', () => {
  test('is named, with the reason', () => {
    writeFileSync(path, 'text '.repeat(2_000));
    const error = thrown(open);
    expect(error).toBeInstanceOf(UnusableDatabase);
    expect(String(error)).toContain(path);
    expect(String(error)).toContain('not a database');
  });

  test('is named when its folder does not exist', () => {
    path = join(folder, 'nowhere', 'a.db');
    expect(thrown(open)).toBeInstanceOf(UnusableDatabase);
  });

  test('has a schema of another version', () => {
    ensureSchema(open(), 1, 'CREATE TABLE t (a)');
    ensureSchema(open(), 1, 'CREATE TABLE never (a)');
    const database = open();
    expect(thrown(() => ensureSchema(database, 2, 'CREATE TABLE never (a)'))).toBeInstanceOf(
      UnusableDatabase,
    );
    expect(() => database.prepare('SELECT 1')).toThrow('closed');
    expect(open().prepare('SELECT name FROM sqlite_schema').all()).toEqual([['t']]);
  });

  test('is upgraded from version to version', () => {
    ensureSchema(open(), 1, 'CREATE TABLE t (a)');
    const upgrades = { 1: 'ALTER TABLE t ADD COLUMN b', 2: 'ALTER TABLE t ADD COLUMN c' };
    for (let time = 0; time < 2; time += 1) {
      const database = open();
      ensureSchema(database, 3, 'CREATE TABLE never (a)', upgrades);
      expect(database.prepare('SELECT name FROM pragma_table_info(?)').all(['t'])).toEqual([
        ['a'],
        ['b'],
        ['c'],
      ]);
    }
    const older = open();
    expect(thrown(() => ensureSchema(older, 2, 'CREATE TABLE never (a)', upgrades))).toBeInstanceOf(
      UnusableDatabase,
    );
  });

  test('stays locked', () => {
    const holder = open();
    const [other] = [open()];
    holder.transaction(() =>
      expect(() => ensureSchema(other, 1, 'CREATE TABLE t (a)')).toThrow(`${path}: database is locked`),
    );
  });

  test.each([
    ['deleted', (file: string) => rmSync(file)],
    ['replaced', (file: string) => cpSync(file, `${file}.copy`) ?? renameSync(`${file}.copy`, file)],
  ])('of an engine acknowledges nothing once its file was %s, and goes on once it is back', (how, change) => {
    const database = openDatabase(path, { engine: 'event store' });
    opened.push(database);
    database.exec('CREATE TABLE entries (n INTEGER) STRICT');
    const insert = database.prepare('INSERT INTO entries VALUES (?)');
    const count = database.prepare<[number]>('SELECT count(*) FROM entries');
    database.transaction(() => insert.run([1]));
    linkSync(path, `${path}.kept`);
    change(path);
    expect(thrown(() => database.transaction(() => insert.run([2])))).toMatchObject({
      name: 'EngineUnavailable',
      message: expect.stringContaining(`${path} was ${how}`) as string,
    });
    expect(count.get()).toEqual([1]);
    renameSync(`${path}.kept`, path);
    database.transaction(() => insert.run([3]));
    expect(count.get()).toEqual([2]);
  });
});
