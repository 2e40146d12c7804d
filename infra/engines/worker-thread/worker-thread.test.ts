import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { TestMethods } from '../../../test/worker-thread/test-worker';
import { decodeError } from './messages';
import {
  startWorkerThread,
  type WorkerThread,
  WorkerThreadEnded,
  type WorkerThreadOptions,
} from './worker-thread';

const FILE = join(__dirname, '../../../test/worker-thread/test-worker.ts');

const threads: WorkerThread<TestMethods>[] = [];
const start = (options: Partial<WorkerThreadOptions<TestMethods, string>> = {}) => {
  const thread = startWorkerThread<TestMethods, string>(FILE, { name: 'test', data: {}, ...options });
  threads.push(thread);
  return thread;
};
afterEach(async () => {
  for (const thread of threads.splice(0)) await thread.terminate();
});

it('answers concurrent requests, each with its own result', async () => {
  const thread = start();
  const sums = await Promise.all([1n, 2n, 3n].map(n => thread.call('add', n, 10n)));
  expect(sums).toEqual([11n, 12n, 13n]);
});

it('passes on notifications, before the result of the request that made them', async () => {
  const received: string[] = [];
  const thread = start({ onNotification: text => received.push(text) });
  await thread.call('add', 1n, 2n);
  expect(received).toEqual(['adding 1 and 2']);
});

it('rejects with the name, message, primitive properties and cause of what the method throws', async () => {
  const error = await start()
    .call('fail')
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'RangeError', message: 'refused', limit: 7 });
  expect(error).not.toHaveProperty('detail');
  expect((error as Error).cause).toMatchObject({ message: 'disk full', code: 'ENOSPC' });
  expect((error as Error).stack).toContain('test-worker');
});

it('restores the classes of errors by `decode`', async () => {
  const decode: typeof decodeError = sent =>
    sent.name === 'RangeError' ? new RangeError(sent.message) : decodeError(sent);
  await expect(start({ decode }).call('fail')).rejects.toBeInstanceOf(RangeError);
});

it('rejects all pending requests and later ones when the thread exits', async () => {
  const thread = start();
  const pending = [thread.call('never'), thread.call('exit', 3)];
  for (const outcome of await Promise.allSettled(pending))
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(WorkerThreadEnded) });
  await expect(thread.ended).resolves.toThrow('the test thread ended with exit code 3');
  await expect(thread.call('add', 1n, 2n)).rejects.toThrow(WorkerThreadEnded);
  await thread.close();
});

it('rejects pending requests with the error that ended the thread', async () => {
  const thread = start();
  const pending = thread.call('never');
  await thread.call('crash').catch(() => undefined);
  await expect(pending).rejects.toThrow('the test thread failed: crashed');
  expect(((await thread.ended) as Error).cause).toMatchObject({ message: 'crashed' });
});

it('aborts the closing signal and waits for requests under way when it is closed', async () => {
  const thread = start();
  const pending = thread.call('untilClosed');
  await thread.close();
  expect(await pending).toBe('closed');
  expect(await thread.ended).toBeNull();
});

it('rejects close when closing failed', async () => {
  const thread = start({ data: { failToClose: true } });
  await expect(thread.close()).rejects.toThrow('the test thread failed: cannot close');
});

it('ends at once when it is terminated', async () => {
  const thread = start();
  const pending = thread.call('never');
  pending.catch(() => undefined);
  await thread.terminate();
  await expect(pending).rejects.toThrow(WorkerThreadEnded);
  expect(await thread.ended).toBeNull();
});

it('ends by itself when it is retired', async () => {
  const thread = start();
  const pending = thread.call('never');
  pending.catch(() => undefined);
  thread.retire();
  expect(await thread.ended).toBeNull();
  await expect(pending).rejects.toThrow(WorkerThreadEnded);
});

it('has the memory for new objects that it is given, whatever that of the process', async () => {
  setFlagsFromString('--max-semi-space-size=16');
  const thread = start({ resourceLimits: { maxYoungGenerationSizeMb: 6 } });
  expect(await thread.call('youngBytes')).toBeLessThanOrEqual(6 * 2 ** 20);
});
