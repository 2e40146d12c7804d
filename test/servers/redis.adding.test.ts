import { randomUUID } from 'node:crypto';
import { Queue } from 'bullmq';
import { openBullMqJobs } from '../../infra/engines/jobs/bullmq/bullmq-jobs';
import type { JsonObject } from '../../contracts/json/json';
import { until } from '../until';
import { sharedRedis } from './shared-redis';

const url = sharedRedis();

const job = (id: string, data: JsonObject = {}) => ({ queue: 'adding', id, data });

test('concurrent additions succeed or fail individually', async () => {
  const jobs = await openBullMqJobs({ url: url(), prefix: randomUUID() });
  const ids = Array.from({ length: 250 }, (_, n) => `job ${n % 200}`);
  const invalid = job('invalid', { amount: 1n as never });
  const [refused, ...added] = await Promise.allSettled([invalid, ...ids.map(id => job(id))].map(jobs.add));
  const { waiting } = await jobs.counts('adding');
  await jobs.close();

  expect(refused!.status).toBe('rejected');
  expect(added).toEqual(ids.map((_, n) => ({ status: 'fulfilled', value: n < 200 })));
  expect(waiting).toBe(200);
});

test('pending additions are sent before the connection is closed', async () => {
  const prefix = randomUUID();
  const jobs = await openBullMqJobs({ url: url(), prefix });
  await jobs.counts('adding');
  const added = jobs.add(job('last'));
  await jobs.close();
  expect(await added).toBe(true);

  const reopened = await openBullMqJobs({ url: url(), prefix });
  expect(await reopened.add(job('last'))).toBe(false);
  await reopened.close();
});

test('a failed job is removed from the list although the process that added it again died before removing it', async () => {
  const prefix = randomUUID();
  const jobs = await openBullMqJobs({ url: url(), prefix });
  await jobs.add({ ...job('again'), attempts: 1 });
  const stop = new AbortController();
  const work = jobs.work({ queue: 'adding', signal: stop.signal }, () => Promise.reject(new Error('no')));
  const listed = async () => (await jobs.failures('adding', 10)).map(({ id }) => id);
  await until(async () => (await listed()).length > 0);
  stop.abort();
  await work;

  const dying = new Queue('adding', { connection: { url: url() }, prefix });
  await dying.add('again', { data: {}, keepIdMs: 0 }, { deduplication: { id: 'again' } });
  await dying.close();
  expect(await listed()).toEqual(['again']);

  expect(await jobs.add(job('again'))).toBe(false);
  expect(await listed()).toEqual([]);
  await jobs.close();
});
