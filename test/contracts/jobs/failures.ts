import { idle, type Places, until } from './places';

export function describeFailures({ fresh, work }: Places): void {
  describe('a job that fails', () => {
    test('is run again after the back-off, which doubles', async () => {
      const jobs = await fresh();
      const runs: [number, number][] = [];
      work(jobs, ({ attempt }) => {
        runs.push([attempt, Date.now()]);
        if (attempt < 4) throw new Error('not yet');
      });
      await jobs.add({ queue: 'q', id: 'a', data: {}, backoff: 30 });
      await until(() => idle(jobs));
      expect(runs.map(([attempt]) => attempt)).toEqual([1, 2, 3, 4]);
      const waits = runs.slice(1).map(([, at], i) => at - runs[i]![1]);
      for (const [i, wait] of waits.entries()) expect(wait).toBeGreaterThanOrEqual(30 * 2 ** i - 1);
      expect(await jobs.counts('q')).toEqual({ waiting: 0, running: 0, failed: 0 });
    });

    test('keeps its id while it waits for the next run, and lets others pass', async () => {
      const jobs = await fresh();
      const ran: string[] = [];
      work(jobs, ({ id }) => {
        ran.push(id);
        if (id === 'a') throw new Error('no');
      });
      await jobs.add({ queue: 'q', id: 'a', data: {}, backoff: 60_000 });
      await until(() => ran.length === 1);
      await jobs.add({ queue: 'q', id: 'b', data: {} });
      await until(() => ran.length === 2);
      expect(await jobs.add({ queue: 'q', id: 'a', data: {} })).toBe(false);
      await until(async () => (await jobs.counts('q')).running === 0);
      expect(await jobs.counts('q')).toEqual({ waiting: 1, running: 0, failed: 0 });
    });

    test('too often is kept with its last error, until it is asked for again', async () => {
      const jobs = await fresh();
      let broken = true;
      work(jobs, ({ attempt }) => {
        if (broken) throw new Error(`broken \0 \ud800 ${attempt}`);
      });
      const before = Date.now();
      await jobs.add({ queue: 'q', id: 'a', data: { n: 1 }, attempts: 2, backoff: 1 });
      await jobs.add({ queue: 'q', id: 'b', data: { n: 2 }, attempts: 1, keep: 60_000 });
      await until(() => idle(jobs));
      expect(await jobs.counts('q')).toEqual({ waiting: 0, running: 0, failed: 2 });
      const failures = await jobs.failures('q', 10);
      const error = (attempt: number): unknown => expect.stringMatching(`broken . . ${attempt}`);
      expect([...failures].sort((x, y) => (x.id < y.id ? -1 : 1))).toEqual([
        { id: 'a', data: { n: 1 }, attempts: 2, error: error(2), failedAt: expect.any(Number) as number },
        { id: 'b', data: { n: 2 }, attempts: 1, error: error(1), failedAt: expect.any(Number) as number },
      ]);
      for (const { failedAt } of failures) expect(failedAt).toBeGreaterThanOrEqual(before);
      expect(await jobs.failures('q', 1)).toHaveLength(1);
      expect(await jobs.failures('r', 9)).toEqual([]);

      broken = false;
      expect(await jobs.add({ queue: 'q', id: 'a', data: {} })).toBe(true);
      await until(() => idle(jobs));
      expect((await jobs.failures('q', 10)).map(({ id }) => id)).toEqual(['b']);
    });
  });
}
