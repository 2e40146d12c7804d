import { statSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { MailboxFull } from '../../../../contracts/ports/mailbox';
import { mail, numbered } from '../../../../test/contracts/mailbox/harness';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { openDatabase } from '../../sqlite/database';
import { SEPARATOR } from './read-page';
import { SCHEMA } from './schema';
import { openSqliteMailbox } from './sqlite-mailbox';

const folder = temporaryFolder();

test('posts delete expired messages of all recipients', async () => {
  let now = 1_000_000;
  const path = join(folder, 'a.db');
  const mailbox = openSqliteMailbox({ path, clock: () => now });
  const post = (count: number, ttlMs: number) =>
    Promise.all(numbered(count).map(n => mailbox.post(mail(n, { to: `to ${n} ${ttlMs}`, ttlMs }))));
  await post(1_500, 10_000);
  await post(3, 90_000);
  now += 10_000;
  for (const body of ['a', 'b']) await mailbox.post(mail(body));
  await mailbox.close();

  const db = openDatabase(path);
  expect(db.prepare('SELECT count(*) FROM messages').get()).toEqual([5]);
  expect(db.prepare('SELECT recipient, count(*), sum(size) FROM messages GROUP BY recipient').all()).toEqual([
    ['bob', 2, 2 * 'ann{}a'.length],
    ...numbered(3).map(n => [`to ${n} 90000`, 1, 'ann{}0'.length]),
  ]);
  db.close();
});

test('all that has expired is deleted while nothing is posted', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'Date', 'performance'] });
  let now = 1_000_000;
  const path = join(folder, 'b.db');
  const mailbox = openSqliteMailbox({ path, clock: () => now });
  const observer = openDatabase(path);
  const count = (): number => observer.prepare<[number]>('SELECT count(*) FROM messages').get()![0];
  await Promise.all(numbered(2_500).map(n => mailbox.post(mail(n, { ttlMs: 10_000 }))));
  expect(count()).toBe(2_500);
  now += 10_000;
  jest.advanceTimersByTime(10_000);
  while (count() > 0) await new Promise(resolve => setImmediate(resolve));
  await mailbox.close();
  observer.close();
  jest.useRealTimers();
});

test('the file is small again once all has expired, and messages that come then are kept', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'Date', 'performance'] });
  let now = 1_000_000;
  const path = join(folder, 'c.db');
  const mailbox = openSqliteMailbox({ path, clock: () => now });
  const bytes = (): number => statSync(path).size + statSync(`${path}-wal`).size;
  const body = 'x'.repeat(100_000);
  await Promise.all(numbered(100).map(n => mailbox.post(mail(`${n} ${body}`, { ttlMs: 10_000 }))));
  expect(bytes()).toBeGreaterThan(10_000_000);
  now += 10_000;
  while (bytes() > 100_000) {
    jest.advanceTimersByTime(10_000);
    await new Promise(resolve => setImmediate(resolve));
  }
  const { id } = await mailbox.post(mail('later'));
  expect(await mailbox.read({ to: ['bob'], after: 0, limit: 9 })).toMatchObject([{ id, body: 'later' }]);
  await mailbox.close();
  jest.useRealTimers();
});

test('a file of the version before has its messages, of which no source is known', async () => {
  const path = join(folder, 'd.db');
  const before = openDatabase(path);
  before.exec(SCHEMA.replace(/^ *source .*\n/m, ''));
  before.exec(`PRAGMA user_version=2`);
  const checksum = crc32(['ann', 'bob', '{}', 'hello'].join(SEPARATOR));
  before
    .prepare('INSERT INTO messages VALUES (1, ?, ?, ?, 9, ?, ?, ?, ?)')
    .run(['bob', 'ann', Date.now() + 60_000, 'digest', '{}', checksum, 'hello']);
  before.close();

  const mailbox = openSqliteMailbox({ path, limits: { messages: 9, bytes: 1_000 } });
  expect(await mailbox.read({ to: ['bob'], after: 0, limit: 9 })).toMatchObject([{ id: 1, body: 'hello' }]);
  for (const n of [1, 2]) await mailbox.post(mail(`${n}`, { source: 'network' }));
  await expect(mailbox.post(mail('3', { source: 'network' }))).rejects.toThrow(MailboxFull);
  await mailbox.close();
});
