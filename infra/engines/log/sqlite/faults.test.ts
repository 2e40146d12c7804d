import { join } from 'node:path';
import type { Log, NewMessage } from '../../../../contracts/ports/log';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { openSqliteLog } from './sqlite-log';

const folder = temporaryFolder();
let log: Log;
let files = 0;
beforeEach(async () => {
  log = openSqliteLog({ path: join(folder, `${(files += 1)}.db`) });
  await log.declare([{ name: 'topic', partitions: 1, cleanup: 'delete' }]);
});
afterEach(() => log.close());

const message = { key: 'a', value: Buffer.from('1') };

test.each<[string, NewMessage]>([
  ['a key with U+0000', { ...message, key: 'a\0b' }],
  ['a key with a lone surrogate', { ...message, key: '\ud800' }],
  ['a value that is text', { ...message, value: '1' as unknown as Buffer }],
  ['a header that is no text', { ...message, headers: { n: 1 as unknown as string } }],
])('%s is rejected with its whole publish, but concurrent publishes succeed', async (_, bad) => {
  const outcomes = await Promise.allSettled([
    log.publish('topic', [message]),
    log.publish('topic', [message, bad]),
    log.publish('topic', [message]),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await log.endOffsets('topic')).toEqual([2]);
});

test('an offset beyond the end, as after a loss of the file, is an error and not a silent wait', async () => {
  await log.publish('topic', [message]);
  const read = async (): Promise<void> => {
    for await (const batch of log.read({ topic: 'topic', partition: 0, from: 7, follow: true }))
      throw new Error(`unexpected batch to ${batch.nextOffset}`);
  };
  await expect(read()).rejects.toThrow('topic/0: offset 7 is beyond the end, 1');
  const { signal } = new AbortController();
  const options = { group: 'g', topics: ['topic'], startAt: async () => 7, signal };
  await expect(log.consume(options, async () => undefined)).rejects.toThrow('offset 7 is beyond the end');
});

test('a topic without partitions cannot be declared', async () => {
  for (const partitions of [0, -1, 1.5])
    await expect(log.declare([{ name: 'none', partitions, cleanup: 'delete' }])).rejects.toThrow(TypeError);
});

test('consuming an undeclared topic fails', async () => {
  const { signal } = new AbortController();
  await expect(
    log.consume({ group: 'g', topics: ['nowhere'], signal }, async () => undefined),
  ).rejects.toThrow('topic nowhere has not been declared');
});

test('a consumer ends with an error when its log is closed', async () => {
  const { signal } = new AbortController();
  let handled = (): void => undefined;
  const first = new Promise<void>(resolve => (handled = resolve));
  const consuming = log.consume({ group: 'g', topics: ['topic'], signal }, async () => handled());
  await log.publish('topic', [message]);
  await first;
  await log.close();
  await expect(consuming).rejects.toThrow('closed');
});
