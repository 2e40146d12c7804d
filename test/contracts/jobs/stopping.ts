import { latch, idle, type JobsHarness, until } from './harness';

export function describeStopping({ fresh, another, work }: JobsHarness): void {
  describe('stopping', () => {
    test('aborts and awaits the running jobs, and starts no more', async () => {
      const jobs = await fresh();
      for (const id of ['a', 'b', 'c']) await jobs.add({ queue: 'q', id, data: {} });
      const [started, finish] = [latch(), latch()];
      const events: string[] = [];
      const worker = work(
        jobs,
        async ({ id, signal }) => {
          if (id === 'b') started.open();
          signal.addEventListener('abort', () => events.push(`aborted ${id}`));
          await finish.opened;
          events.push(`ended ${id}`);
        },
        { concurrency: 2 },
      );
      await started.opened;
      worker.stop();
      void worker.ended.then(() => events.push('stopped'));
      expect(await jobs.counts('q')).toEqual({ waiting: 1, delayed: 0, running: 2, failed: 0 });
      finish.open();
      await worker.ended;
      await until(() => events.includes('stopped'));
      expect(events).toEqual(['aborted a', 'aborted b', 'ended a', 'ended b', 'stopped']);
      expect(await jobs.counts('q')).toEqual({ waiting: 1, delayed: 0, running: 0, failed: 0 });
    });

    test('returns a job that ends with an error to the queue, without counting the attempt', async () => {
      const jobs = await fresh();
      await jobs.add({ queue: 'q', id: 'a', data: {}, attempts: 1 });
      const started = latch();
      const worker = work(jobs, ({ signal }) => {
        started.open();
        return new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(new Error('stopped'))),
        );
      });
      await started.opened;
      worker.stop();
      await worker.ended;
      expect(await jobs.counts('q')).toEqual({ waiting: 1, delayed: 0, running: 0, failed: 0 });
      const attempts: number[] = [];
      work(await another(), ({ attempt }) => void attempts.push(attempt));
      await until(() => idle(jobs));
      expect(attempts).toEqual([1]);
    });

    test('returns hundreds of jobs that were taken and wait for something, without counting attempts', async () => {
      const jobs = await fresh();
      const ids = Array.from({ length: 1_100 }, (_, n) => `${n}`);
      await Promise.all(ids.map(id => jobs.add({ queue: 'q', id, data: {}, attempts: 1 })));
      let taken = 0;
      const worker = work(
        jobs,
        ({ signal }) => {
          taken += 1;
          return new Promise((_, reject) =>
            signal.addEventListener('abort', () => reject(new Error('stopped'))),
          );
        },
        { concurrency: 1_000 },
      );
      await until(() => taken === 1_000);
      worker.stop();
      await worker.ended;
      expect(await jobs.counts('q')).toEqual({ waiting: 1_100, delayed: 0, running: 0, failed: 0 });
      const attempts = new Map<string, number>();
      work(await another(), ({ id, attempt }) => void attempts.set(id, attempt), { concurrency: 100 });
      await until(() => idle(jobs));
      expect(Object.fromEntries(attempts)).toEqual(Object.fromEntries(ids.map(id => [id, 1])));
    });

    test('before the start runs nothing', async () => {
      const jobs = await fresh();
      await jobs.add({ queue: 'q', id: 'a', data: {} });
      const worker = work(jobs, () => {}, { signal: AbortSignal.abort() });
      await worker.ended;
      expect(await jobs.counts('q')).toEqual({ waiting: 1, delayed: 0, running: 0, failed: 0 });
    });

    test('by closing awaits the workers', async () => {
      const jobs = await fresh();
      await jobs.add({ queue: 'q', id: 'a', data: {} });
      const [started, finish] = [latch(), latch()];
      let ended = false;
      const worker = work(jobs, async () => {
        started.open();
        await finish.opened;
        ended = true;
      });
      await started.opened;
      const closed = jobs.close();
      finish.open();
      await Promise.all([closed, worker.ended]);
      expect(ended).toBe(true);
      expect(await idle(await another())).toBe(true);
    });
  });
}
