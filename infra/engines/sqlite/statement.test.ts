import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../../test/temporary-folder';
import { compiledPath } from '../compiled-path';
import '../../../test/starts-programs';

const folder = temporaryFolder();

let files = 0;

/** What the scripts return, or the errors they throw. They run in a child process, because libsql may abort it. */
const run = async (setUp: string, scripts: readonly string[]): Promise<unknown[]> => {
  const source = `${setUp};
    const tried = body => { try { return body() } catch (error) { return error.name + ': ' + error.message } };
    console.log(JSON.stringify([${scripts.map(script => `tried(() => { ${script} })`).join(', ')}]));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', source]);
  return JSON.parse(stdout) as unknown[];
};
const quote = (text: string): string => JSON.stringify(text);
/** Each script on a database of its own. */
const guarded = (...scripts: readonly string[]): Promise<unknown[]> =>
  run(
    `const { openDatabase } = require(${quote(compiledPath(join(__dirname, 'database.ts')))})`,
    scripts.map(
      script => `
        const path = ${quote(join(folder, `${(files += 1)}.db`))};
        const db = openDatabase(path, { busyTimeout: 10 });
        ${script}`,
    ),
  );
const raw = (script: string): Promise<unknown> =>
  run(`const db = new (require(${quote(require.resolve('libsql'))}))(':memory:')`, [script]);

const given = (parameters: readonly string[], sql = 'SELECT ?'): Promise<unknown[]> =>
  guarded(...parameters.map(each => `return db.prepare(${quote(sql)}).get(${each})`));

describe('what aborts the process with bare libsql', () => {
  test.each(['db.prepare("SELECT ?").get([true])', 'db.prepare("SELECT ?").get(Buffer.from("a"))'])(
    'still does: %s',
    async script => {
      await expect(raw(`return ${script}`)).rejects.toMatchObject({ signal: 'SIGABRT' });
    },
  );

  test('is a TypeError', async () => {
    expect(await given(['[true]', '[false]'])).toEqual(
      Array(2).fill('TypeError: parameter 1 is a boolean: SELECT ?'),
    );
    expect(await given(['Buffer.from("a")', 'null', '1', '"a"', '{ a: 1 }'])).toEqual(
      Array(5).fill('TypeError: parameters must be one array: SELECT ?'),
    );
  });
});

describe('what libsql would store as something else', () => {
  test('is a TypeError', async () => {
    const reasons = {
      '[NaN]': 'NaN',
      '[-Infinity]': '-Infinity',
      '[2 ** 53]': 'an integer beyond 2^53',
      '[2n ** 63n]': 'an integer beyond 64 bits',
      '["a\\0b"]': 'text with U+0000',
      '["\\ud800"]': 'text with a lone surrogate',
      '[undefined]': 'undefined',
      '[{}]': 'a object',
      '[new Date()]': 'a object',
      '[() => 1]': 'a function',
      '[Symbol()]': 'a symbol',
      'new Array(1)': 'undefined',
    };
    expect(await given(Object.keys(reasons))).toEqual(
      Object.values(reasons).map(reason => `TypeError: parameter 1 is ${reason}: SELECT ?`),
    );
  });

  test('too few and too many parameters are TypeErrors', async () => {
    const sql = 'SELECT ?, ?';
    expect(await given(['[1]', '[1, 2, 3]', ''], sql)).toEqual(
      [1, 3, 0].map(count => `TypeError: ${count} parameters passed, 2 expected: ${sql}`),
    );
  });

  test('null, bytes (also none) and text of any script are stored unchanged', async () => {
    const script = `const row = db.prepare('SELECT ?, hex(?), length(?), ?').get(
      [null, Buffer.from('text').subarray(1, 3), new Uint8Array(0), 'ключ 🔑']); return row`;
    expect(await guarded(script)).toEqual([[null, '6578', 0, 'ключ 🔑']]);
  });
});

describe('statements that libsql would leave open', () => {
  test('run of one that returns rows is a TypeError', async () => {
    const statements = ['INSERT INTO t VALUES (1) RETURNING a', 'SELECT a FROM t', 'PRAGMA user_version'];
    const scripts = statements.map(
      sql => `db.exec('CREATE TABLE t (a)'); return db.prepare(${quote(sql)}).run()`,
    );
    expect(await guarded(...scripts)).toEqual(
      statements.map(sql => `TypeError: returns rows, use get or all: ${sql}`),
    );
  });

  test('get and all of one without rows are TypeErrors', async () => {
    const scripts = ['get', 'all'].map(
      method => `db.exec('CREATE TABLE t (a)'); return db.prepare('DELETE FROM t').${method}()`,
    );
    expect(await guarded(...scripts)).toEqual(
      Array(2).fill('TypeError: returns no rows, use run: DELETE FROM t'),
    );
  });

  test('neither a first row nor an error holds a lock or a snapshot', async () => {
    const script = `
      db.exec('CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1), (2), (3)');
      const other = openDatabase(path, { busyTimeout: 10 });
      const first = db.prepare('SELECT a FROM t').get();
      const added = db.prepare('INSERT INTO t VALUES (?), (?) RETURNING a').get([4, 5]);
      const refused = tried(() => db.prepare('INSERT INTO t VALUES (?) RETURNING a').all([1]));
      other.prepare('INSERT INTO t VALUES (?)').run([6]);
      return [first, added, refused, db.prepare('SELECT count(*) FROM t').get()]`;
    expect(await guarded(script)).toEqual([[[1], [4], 'SqliteError: UNIQUE constraint failed: t.a', [6]]]);
  });
});
