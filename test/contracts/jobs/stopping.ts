import { gate, idle, type Places, until } from './places';

export function describeStopping({ fresh, another, work }: Places): void {
  describe('stopping', () => {
    test('waits for the jobs in hand, which are told, and takes no more', async () => {
      const jobs = await fresh();
      for (const id of ['a', 'b', 'c']) await jobs.add({ queue: 'q', id, data: {} });
      const [started, finish] = [gate(), gate()];
      const events: string[] = [];
      const worker = work(
        jobs,
        async ({ id, signal }) => {
          if (id === 'b') started.open();
          signal.addEventListener('abort', () => events.push(`told ${id}`));
          await finish.opened;
          events.push(`ended ${id}`);
        },
        { concurrency: 2 },
      );
      await started.opened;
      worker.stop();
      void worker.ended.then(() => events.push('stopped'));
      expect(await jobs.counts('q')).toEqual({ waiting: 1, running: 2, failed: 0 });
      finish.open();
      await worker.ended;
      await until(() => events.includes('stopped'));
      expect(events).toEqual(['told a', 'told b', 'ended a', 'ended b', 'stopped']);
      expect(await jobs.counts('q')).toEqual({ waiting: 1, running: 0, failed: 0 });
    });

    test('gives back a job that ends with an error, and counts no attempt', async () => {
      const jobs = await fresh();
      await jobs.add({ queue: 'q', id: 'a', data: {}, attempts: 1 });
      const started = gate();
      const worker = work(jobs, ({ signal }) => {
        started.open();
        return new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(new Error('stopped'))),
        );
      });
      await started.opened;
      worker.stop();
      await worker.ended;
      expect(await jobs.counts('q')).toEqual({ waiting: 1, running: 0, failed: 0 });
      const attempts: number[] = [];
      work(await another(), ({ attempt }) => void attempts.push(attempt));
      await until(() => idle(jobs));
      expect(attempts).toEqual([1]);
    });

    test('before the start is fine', async () => {
      const jobs = await fresh();
      await jobs.add({ queue: 'q', id: 'a', data: {} });
      const worker = work(jobs, () => {}, { signal: AbortSignal.abort() });
      await worker.ended;
      expect(await jobs.counts('q')).toEqual({ waiting: 1, running: 0, failed: 0 });
    });

    test('closing stops the workers', async () => {
      const jobs = await fresh();
      await jobs.add({ queue: 'q', id: 'a', data: {} });
      const [started, finish] = [gate(), gate()];
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
