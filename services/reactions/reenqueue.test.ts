import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { openSqliteJobs } from '../../infra/engines/jobs/sqlite/sqlite-jobs';
import type { Jobs, NewJob } from '../../contracts/ports/jobs';
import { temporaryFolder } from '../../test/temporary-folder';
import { until } from '../../test/until';
import { reenqueueLostJobs } from './reenqueue';

const folder = temporaryFolder();

const emptyJobs = (): Jobs => openSqliteJobs({ path: join(folder, `${randomUUID()}.db`) });

/** A program with these jobs, which knows of three backfills. */
function start(jobs: Jobs, faults: { left: number } = { left: 0 }) {
  const stop = new AbortController();
  const checked = jest.spyOn(jobs, 'counts');
  let times = 0;
  async function* all(): AsyncIterable<NewJob> {
    for (const id of ['a', 'b', 'c']) {
      if (id === 'b' && faults.left-- > 0) throw new Error('interrupted');
      yield { queue: 'backfill', id, data: {} };
    }
  }
  const done = reenqueueLostJobs(
    {
      name: 'backfills',
      jobs,
      all,
      checkMs: 5,
      onError: () => undefined,
      onReenqueued: () => void times++,
    },
    stop.signal,
  );
  return {
    times: () => times,
    checks: () => checked.mock.calls.length,
    stop: async () => {
      stop.abort();
      await done;
      checked.mockRestore();
    },
  };
}

it('enqueues all jobs once, and not again while the engine has its jobs', async () => {
  const jobs = emptyJobs();
  const first = start(jobs);
  await until(() => first.times() === 1);
  await first.stop();
  expect((await jobs.counts('backfill')).waiting).toBe(3);
  const second = start(jobs);
  await jobs.add({ queue: 'other', id: 'something', data: {} });
  await until(() => second.checks() >= 4);
  await second.stop();
  expect(second.times()).toBe(0);
  await jobs.close();
});

it('enqueues all jobs again when the engine was emptied', async () => {
  const [before, after] = [emptyJobs(), emptyJobs()];
  let current = before;
  const changing: Jobs = {
    ...before,
    add: job => current.add(job),
    counts: queue => current.counts(queue),
  };
  const running = start(changing);
  await until(() => running.times() === 1);
  current = after;
  await until(() => running.times() === 2);
  expect((await after.counts('backfill')).waiting).toBe(3);
  await running.stop();
  await Promise.all([before.close(), after.close()]);
});

it('starts over when it was interrupted', async () => {
  const jobs = emptyJobs();
  const running = start(jobs, { left: 2 });
  await until(() => running.times() === 1);
  expect((await jobs.counts('backfill')).waiting).toBe(3);
  await running.stop();
  await jobs.close();
});
