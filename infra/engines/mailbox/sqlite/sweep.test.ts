import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mail, numbered } from '../../../../test/contracts/mailbox/harness';
import { openDatabase } from '../../sqlite/database';
import { openSqliteMailbox } from './sqlite-mailbox';

const folder = mkdtempSync(join(tmpdir(), 'mailbox-sweep-'));
afterAll(() => rmSync(folder, { recursive: true }));

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
