import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allContents } from '../../../../test/contracts/log/fixtures';
import { openDatabase } from '../../sqlite/database';
import { openSqliteLog } from './sqlite-log';

const folder = mkdtempSync(join(tmpdir(), 'log-upgrade-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a file of the first version is upgraded, and then messages of a key can be deleted', async () => {
  const path = join(folder, 'log.db');
  const first = openSqliteLog({ path });
  await first.declare([{ name: 'topic', partitions: 1, cleanup: 'delete' }]);
  const message = (key: string) => ({ key, value: Buffer.from(key) });
  await first.publish('topic', [message('a'), message('b'), message('a'), message('b')]);
  await first.close();
  // As the first version has left it.
  const database = openDatabase(path);
  database.exec(
    'DROP INDEX messages_deletable_by_key; DROP INDEX messages_tombstones; PRAGMA user_version=1',
  );
  database.close();

  const log = openSqliteLog({ path });
  expect(await log.deleteMessages!({ topic: 'topic', key: 'a', before: [4] }, () => true)).toBe(0);
  expect((await allContents(log, 'topic')).map(({ key, offset }) => [key, offset])).toEqual([
    ['b', 1],
    ['b', 3],
  ]);
  await log.close();
});
