import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compiled } from '../compiled';
import { type Database, openDatabase } from './database';

const folder = mkdtempSync(join(tmpdir(), 'commits-'));
let files = 0;
let path = '';
let opened: Database[] = [];
const open = (): Database => {
  const database = openDatabase(path);
  opened.push(database);
  return database;
};
beforeEach(() => {
  path = join(folder, `${(files += 1)}.db`);
  open().exec('CREATE TABLE t (a)');
});
afterEach(() => {
  for (const database of opened) database.close();
  opened = [];
});
afterAll(() => rmSync(folder, { recursive: true }));

const insert = (database: Database): unknown => database.prepare('INSERT INTO t VALUES (1)').run();
const count = (database: Database): number => database.prepare<[number]>('SELECT count(*) FROM t').get()![0];

describe('notice of commits', () => {
  test.each<[string, (database: Database) => unknown]>([
    ['run', insert],
    ['get', database => database.prepare('INSERT INTO t VALUES (1) RETURNING a').get()],
    ['exec', database => database.exec('INSERT INTO t VALUES (1)')],
    ['a transaction', database => database.transaction(() => insert(database))],
  ])('of own commits through %s comes at once', async (_, write) => {
    const database = open();
    const waiting = database.commits.after(database.commits.mark());
    write(database);
    // No time passes between two immediates in which a poll could have done it.
    const first = await Promise.race([waiting, new Promise(resolve => setImmediate(resolve, 'late'))]);
    expect(first).toBe(true);
  });

  test('waits for the end of a transaction', async () => {
    const database = open();
    let noticed = false;
    void database.commits.after(database.commits.mark()).then(() => (noticed = true));
    expect(() =>
      database.transaction(() => {
        insert(database);
        throw new Error('no');
      }),
    ).toThrow('no');
    await new Promise(resolve => setImmediate(resolve));
    expect(noticed).toBe(false);
  });

  test('of another connection comes to all who wait', async () => {
    const [database, other] = [open(), open()];
    const mark = database.commits.mark();
    const waiting = [database.commits.after(mark), database.commits.after(mark, { timeout: 20_000 })];
    insert(other);
    expect(await Promise.all(waiting)).toEqual([true, true]);
  });

  test('is not missed between the mark and the wait', async () => {
    const [database, other] = [open(), open()];
    for (const writer of [database, other]) {
      const mark = database.commits.mark();
      insert(writer);
      expect(await database.commits.after(mark)).toBe(true);
    }
  });

  test('comes from another process, as often as it commits', async () => {
    const database = open();
    const script = `const { openDatabase } = require(process.argv[1]);
      const database = openDatabase(process.argv[2]);
      process.on('message', () => database.exec('INSERT INTO t VALUES (1)'))`;
    const child = spawn(process.execPath, ['-e', script, compiled(join(__dirname, 'database.ts')), path], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    for (let n = 0; n < 20; n += 1) {
      const mark = database.commits.mark();
      child.send('insert');
      while (count(database) <= n) await database.commits.after(mark);
    }
    const exited = once(child, 'exit');
    child.kill();
    await exited;
    expect(count(database)).toBe(20);
  });

  test('is given up at the time-out, at the signal and when the database is closed', async () => {
    const database = open();
    const { commits } = database;
    const end = new AbortController();
    expect(await commits.after(commits.mark(), { timeout: 1 })).toBe(false);
    const waiting = [commits.after(commits.mark(), { signal: end.signal }), commits.after(commits.mark())];
    end.abort();
    expect(await waiting[0]).toBe(false);
    expect(await commits.after(commits.mark(), { signal: end.signal })).toBe(false);
    const mark = commits.mark();
    database.close();
    expect(await waiting[1]).toBe(false);
    expect(await commits.after(mark)).toBe(false);
  });
});
