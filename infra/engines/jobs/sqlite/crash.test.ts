import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { idle, until } from '../../../../test/contracts/jobs/harness';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { compiledPath } from '../../compiled-path';
import { openSqliteJobs } from './sqlite-jobs';
import { scaled } from '../../../../test/random';
import '../../../../test/starts-programs';

const folder = temporaryFolder();

const program = compiledPath('test/crash/jobs-worker.ts');

interface Run {
  readonly id: string;
  readonly attempt: number;
}

const startWorker = (path: string, leaseMs: number, onRun: (run: Run) => void): ChildProcess => {
  const child = fork(program, [path, String(leaseMs)]);
  child.on('message', run => onRun(run as Run));
  return child;
};

/** Waits for `close`: `exit` may be emitted before the last messages of the child. */
const kill = async (child: ChildProcess): Promise<void> => {
  const ended = once(child, 'close');
  child.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
};

test('the jobs of a killed worker run again after their lease, and count an attempt', async () => {
  const path = join(folder, 'held.db');
  let aheadMs = 0;
  const jobs = openSqliteJobs({ path, clock: () => Date.now() + aheadMs });
  const runs: Run[] = [];
  const leaseMs = 600_000;
  const child = startWorker(path, leaseMs, run => runs.push(run));
  await jobs.add({ queue: 'q', id: 'twice', data: { hang: true } });
  await jobs.add({ queue: 'q', id: 'once', data: { hang: true }, attempts: 1 });
  await until(() => runs.length === 2);
  await kill(child);
  expect(await jobs.counts('q')).toEqual({ waiting: 0, delayed: 0, running: 2, failed: 0 });

  aheadMs = leaseMs + 1;
  const taken: Run[] = [];
  const stop = new AbortController();
  const work = jobs.work({ queue: 'q', leaseMs, signal: stop.signal }, async ({ id, attempt }) => {
    taken.push({ id, attempt });
  });
  await until(async () => (await jobs.counts('q')).running === 0);
  stop.abort();
  await work;
  expect(taken).toEqual([{ id: 'twice', attempt: 2 }]);
  expect(await jobs.failures('q', 9)).toMatchObject([
    { id: 'once', attempts: 1, error: expect.stringContaining('died') as string },
  ]);
  await jobs.close();
});

test('repeatedly killed workers lose no job and run no attempt twice', async () => {
  const path = join(folder, 'loop.db');
  const jobs = openSqliteJobs({ path });
  const ids = Array.from({ length: 300 }, (_, n) => `job ${n}`);
  await Promise.all(ids.map(id => jobs.add({ queue: 'q', id, data: {}, attempts: 50 })));
  const attempts = new Map(ids.map(id => [id, [] as number[]]));
  let runs = 0;
  const record = ({ id, attempt }: Run): void => {
    attempts.get(id)!.push(attempt);
    runs += 1;
  };
  const start = (): ChildProcess => startWorker(path, 250, record);
  const steady = start();
  for (let cycle = 1; cycle <= scaled(1); cycle += 1) {
    const before = runs;
    const child = start();
    await until(() => runs >= Math.min(before + 12, ids.length));
    await kill(child);
  }
  await until(() => idle(jobs));
  await kill(steady);
  expect((await jobs.counts('q')).failed).toBe(0);
  // The last messages of a killed worker may be lost: an attempt may be missing, but none is there twice.
  for (const seen of attempts.values()) {
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThan(0);
  }
  await jobs.close();
});
