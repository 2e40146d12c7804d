import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { temporaryFolder } from '../../../test/temporary-folder';
import { compiledPath } from '../compiled-path';
import { type Database, openDatabase } from './database';
import '../../../test/starts-programs';

const folder = temporaryFolder();
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

const insert = (database: Database): unknown => database.prepare('INSERT INTO t VALUES (1)').run();
const count = (database: Database): number => database.prepare<[number]>('SELECT count(*) FROM t').get()![0];

describe('notification of commits', () => {
  test.each<[string, (database: Database) => unknown]>([
    ['run', insert],
    ['get', database => database.prepare('INSERT INTO t VALUES (1) RETURNING a').get()],
    ['exec', database => database.exec('INSERT INTO t VALUES (1)')],
    ['a transaction', database => database.transaction(() => insert(database))],
  ])('of own commits by %s is immediate', async (_, write) => {
    const database = open();
    const waiting = database.commits.after(database.commits.mark());
    write(database);
    // Before the next poll: setImmediate runs in the same turn of the event loop.
    const first = await Promise.race([waiting, new Promise(resolve => setImmediate(resolve, 'late'))]);
    expect(first).toBe(true);
  });

  test('of others alone does not come with own commits', async () => {
    const [mine, theirs] = [open(), open()];
    let noticed = false;
    const mark = mine.commits.mark();
    insert(mine);
    const waiting = mine.commits.after(mark, { byOthers: true }).then(() => (noticed = true));
    insert(mine);
    await new Promise(resolve => setImmediate(resolve));
    expect(noticed).toBe(false);
    insert(theirs);
    await waiting;
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

  test('of another connection reaches all waiters', async () => {
    const [database, other] = [open(), open()];
    const mark = database.commits.mark();
    const waiting = [database.commits.after(mark), database.commits.after(mark, { timeoutMs: 20_000 })];
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

  test('is sent for every commit of another process', async () => {
    const database = open();
    const script = `const { openDatabase } = require(process.argv[1]);
      const database = openDatabase(process.argv[2]);
      process.on('message', () => database.exec('INSERT INTO t VALUES (1)'))`;
    const child = spawn(
      process.execPath,
      ['-e', script, compiledPath(join(__dirname, 'database.ts')), path],
      {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      },
    );
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

  test('ends on timeout, abort and close', async () => {
    const database = open();
    const { commits } = database;
    const end = new AbortController();
    expect(await commits.after(commits.mark(), { timeoutMs: 1 })).toBe(false);
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
