import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteJobs } from '../../infra/engines/jobs/sqlite/sqlite-jobs';
import type { Jobs, NewJob } from '../../contracts/ports/jobs';
import { until } from '../../test/until';
import { recallJobs } from './recall';

const folder = mkdtempSync(join(tmpdir(), 'recall-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fresh = (): Jobs => openSqliteJobs({ path: join(folder, `${randomUUID()}.db`) });

/** A program on these jobs that knows of three histories. */
function program(jobs: Jobs, faults: { left: number } = { left: 0 }) {
  const stop = new AbortController();
  let recalled = 0;
  async function* all(): AsyncIterable<NewJob> {
    for (const id of ['a', 'b', 'c']) {
      if (id === 'b' && faults.left-- > 0) throw new Error('cut off');
      yield { queue: 'history', id, data: {} };
    }
  }
  const done = recallJobs(
    {
      name: 'histories',
      jobs,
      all,
      every: 5,
      onError: () => undefined,
      onRecalled: () => void recalled++,
    },
    stop.signal,
  );
  return {
    recalled: () => recalled,
    stop: async () => {
      stop.abort();
      await done;
    },
  };
}

it('asks for everything once, and not again while the jobs remember', async () => {
  const jobs = fresh();
  const first = program(jobs);
  await until(() => first.recalled() === 1);
  await first.stop();
  expect((await jobs.counts('history')).waiting).toBe(3);
  const second = program(jobs);
  await jobs.add({ queue: 'other', id: 'something', data: {} });
  await new Promise(resolve => setTimeout(resolve, 50));
  await second.stop();
  expect(second.recalled()).toBe(0);
  await jobs.close();
});

it('asks again when the jobs were forgotten', async () => {
  const [before, after] = [fresh(), fresh()];
  let current = before;
  const changing: Jobs = {
    ...before,
    add: job => current.add(job),
    counts: queue => current.counts(queue),
  };
  const running = program(changing);
  await until(() => running.recalled() === 1);
  current = after;
  await until(() => running.recalled() === 2);
  expect((await after.counts('history')).waiting).toBe(3);
  await running.stop();
  await Promise.all([before.close(), after.close()]);
});

it('asks for all of them once more when it was cut off half-way', async () => {
  const jobs = fresh();
  const running = program(jobs, { left: 2 });
  await until(() => running.recalled() === 1);
  expect((await jobs.counts('history')).waiting).toBe(3);
  await running.stop();
  await jobs.close();
});
