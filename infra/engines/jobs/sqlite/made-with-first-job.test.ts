import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { madeWithFirstJob } from './made-with-first-job';
import { openSqliteJobs } from './sqlite-jobs';

test('reads make no file; the first job does, and is counted', async () => {
  const path = join(temporaryFolder(), 'jobs.sqlite');
  const jobs = madeWithFirstJob(() => openSqliteJobs({ path }));
  expect([await jobs.queues(), await jobs.failures('work', 1)]).toEqual([[], []]);
  expect(await jobs.counts('work')).toEqual({ waiting: 0, delayed: 0, running: 0, failed: 0 });
  await jobs.unschedule('work', 'nightly');
  expect(existsSync(path)).toBe(false);

  expect(await jobs.add({ queue: 'work', id: 'a', data: {} })).toBe(true);
  expect([existsSync(path), await jobs.queues()]).toEqual([true, ['work']]);
  expect(await jobs.counts('work')).toMatchObject({ waiting: 1 });
  await jobs.close();
});
