import { join } from 'node:path';
import { until } from '../../../../test/contracts/log/fixtures';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { openDatabase } from '../../sqlite/database';
import { openSqliteLog } from './sqlite-log';

const LEASE_MS = 90;
const folder = temporaryFolder();

test('a stopping consumer keeps its partitions until its current batch has been handled, however long that takes', async () => {
  const path = join(folder, 'log.db');
  let now = Date.now();
  const log = openSqliteLog({ path, leaseMs: LEASE_MS, clock: () => new Date(now) });
  await log.declare([{ name: 'topic', partitions: 1, cleanup: 'delete' }]);
  await log.publish('topic', [{ key: 'a', value: Buffer.from('1') }]);
  const order: string[] = [];
  const consumer = (name: string, work: Promise<void>) => {
    const end = new AbortController();
    const done = log.consume({ group: 'group', topics: ['topic'], signal: end.signal }, async () => {
      order.push(`${name} begins`);
      await work;
      order.push(`${name} ends`);
    });
    return { done, stop: () => end.abort() };
  };

  let finish = (): void => undefined;
  const first = consumer('first', new Promise(resolve => (finish = resolve)));
  await until(() => order.length === 1);
  first.stop();
  const second = consumer('second', Promise.resolve());

  const database = openDatabase(path);
  const lease = database.prepare<[number]>('SELECT min(expires_at) FROM members');
  // Four leases, by a clock that moves on when all members have renewed theirs: a busy machine may take longer than a lease.
  for (let steps = 0; steps < 12; steps++) {
    now += LEASE_MS / 3;
    await until(() => lease.get()![0] === now + LEASE_MS);
  }
  finish();
  await first.done;
  await log.publish('topic', [{ key: 'a', value: Buffer.from('2') }]);
  await until(() => order.length === 4);
  expect(order).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  // The offset is committed after the handler.
  await until(
    () => log.committedOffsets('group', 'topic'),
    ([offset]) => offset === 2,
  );
  second.stop();
  await second.done;
  database.close();
  await log.close();
});
