import { join } from 'node:path';
import type { Log } from '../../../../contracts/ports/log';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { openSqliteLog } from './sqlite-log';

const folder = temporaryFolder();

const HOUR = 3_600_000;
const offsets = async (log: Log, topic: string, from = 0): Promise<number[]> => {
  const found: number[] = [];
  for await (const { messages } of log.read({ topic, partition: 0, from, follow: false }))
    found.push(...messages.map(({ offset }) => offset));
  return found;
};
const message = { key: 'a', value: Buffer.from('1') };

test('messages older than the retention are deleted, offsets stay, and compacted topics keep the last message of each key', async () => {
  let now = Date.parse('2026-01-01T00:00:00Z');
  const log = openSqliteLog({
    path: join(folder, 'log.db'),
    clock: () => new Date(now),
    retentionMs: 24 * HOUR,
  });
  await log.declare([
    { name: 'events', partitions: 1, cleanup: 'delete' },
    { name: 'state', partitions: 1, cleanup: 'compact' },
  ]);
  await log.publish('state', [message]);
  for (let hour = 0; hour < 30; hour += 1) {
    await log.publish('events', [message, message]);
    now += HOUR;
  }
  await log.publish('events', [message]);
  expect(await log.endOffsets('events')).toEqual([61]);
  const left = await offsets(log, 'events');
  expect(left).toEqual(Array.from({ length: left.length }, (_, n) => 61 - left.length + n));
  expect(left[0]).toBe(12);
  expect(await offsets(log, 'events', 3)).toEqual(left);
  expect(await offsets(log, 'state')).toEqual([0]);
  await log.close();
});

test('many old messages are deleted in parts', async () => {
  let now = 0;
  const log = openSqliteLog({ path: join(folder, 'much.db'), clock: () => new Date(now), retentionMs: HOUR });
  await log.declare([{ name: 'events', partitions: 1, cleanup: 'delete' }]);
  await log.publish('events', Array<typeof message>(2_500).fill(message));
  now += 2 * HOUR;
  const sizes: number[] = [];
  for (let n = 0; n < 4; n += 1) {
    await log.publish('events', [message]);
    sizes.push((await offsets(log, 'events')).length);
  }
  expect(sizes).toEqual([1_501, 502, 3, 4]);
  await log.close();
});

test('a partition without messages left continues at its end offset', async () => {
  let now = 0;
  const log = openSqliteLog({
    path: join(folder, 'nothing.db'),
    clock: () => new Date(now),
    retentionMs: HOUR,
  });
  const topics = ['quiet', 'busy'];
  await log.declare(topics.map(name => ({ name, partitions: 1, cleanup: 'delete' })));
  await log.publish('quiet', [message, message]);
  now += 2 * HOUR;
  await log.publish('busy', [message]);
  expect(await offsets(log, 'quiet')).toEqual([]);
  const end = new AbortController();
  const seen: number[] = [];
  const consuming = log.consume({ group: 'g', topics: ['quiet'], signal: end.signal }, async batch => {
    seen.push(...batch.messages.map(({ offset }) => offset));
    end.abort();
  });
  await log.publish('quiet', [message]);
  await consuming;
  expect(seen).toEqual([2]);
  expect(await log.committedOffsets('g', 'quiet')).toEqual([3]);
  await log.close();
});

test('a tombstone replaces what its key had, and goes a day later, unless it is the last message of its partition', async () => {
  let now = Date.parse('2026-01-01T00:00:00Z');
  const log = openSqliteLog({ path: join(folder, 'tombstones.db'), clock: () => new Date(now) });
  await log.declare([
    { name: 'state', partitions: 1, cleanup: 'compact' },
    { name: 'events', partitions: 1, cleanup: 'delete' },
  ]);
  const [empty, other] = [
    { key: 'a', value: Buffer.alloc(0) },
    { key: 'b', value: Buffer.from('2') },
  ];
  await log.publish('state', [message, other]);
  await log.publish('events', [empty]);
  await log.publish('state', [empty]);
  expect(await offsets(log, 'state')).toEqual([1, 2]);
  now += 25 * HOUR;
  await log.publish('state', [empty]);
  expect(await offsets(log, 'state')).toEqual([1, 3]);
  now += 25 * HOUR;
  await log.publish('events', [message]);
  expect(await offsets(log, 'state')).toEqual([1, 3]);
  await log.publish('state', [other]);
  now += HOUR;
  await log.publish('events', [message]);
  expect(await offsets(log, 'state')).toEqual([4]);
  expect(await offsets(log, 'events')).toEqual([0, 1, 2]);
  await log.close();
});
