import { idle, type JobsHarness, until } from './harness';

export function describeFailures({ fresh, work }: JobsHarness): void {
  describe('a job that fails', () => {
    test('is retried with exponential back-off', async () => {
      const jobs = await fresh();
      const runs: [number, number][] = [];
      work(jobs, ({ attempt }) => {
        runs.push([attempt, Date.now()]);
        if (attempt < 4) throw new Error('not yet');
      });
      await jobs.add({ queue: 'q', id: 'a', data: {}, backoffMs: 30 });
      await until(() => idle(jobs));
      expect(runs.map(([attempt]) => attempt)).toEqual([1, 2, 3, 4]);
      const waits = runs.slice(1).map(([, at], i) => at - runs[i]![1]);
      for (const [i, wait] of waits.entries()) expect(wait).toBeGreaterThanOrEqual(30 * 2 ** i - 1);
      expect(await jobs.counts('q')).toEqual({ waiting: 0, delayed: 0, running: 0, failed: 0 });
    });

    test('keeps its id while it waits for a retry, and does not block other jobs', async () => {
      const jobs = await fresh();
      const ran: string[] = [];
      work(jobs, ({ id }) => {
        ran.push(id);
        if (id === 'a') throw new Error('no');
      });
      await jobs.add({ queue: 'q', id: 'a', data: {}, backoffMs: 60_000 });
      await until(() => ran.length === 1);
      await jobs.add({ queue: 'q', id: 'b', data: {} });
      await until(() => ran.length === 2);
      expect(await jobs.add({ queue: 'q', id: 'a', data: {} })).toBe(false);
      await until(async () => (await jobs.counts('q')).running === 0);
      expect(await jobs.counts('q')).toEqual({ waiting: 1, delayed: 1, running: 0, failed: 0 });
    });

    test('on its last attempt is listed with its last error until its id is added again', async () => {
      const jobs = await fresh();
      let broken = true;
      work(jobs, ({ attempt }) => {
        if (broken) throw new Error(`broken \0 \ud800 ${attempt}`);
      });
      const before = Date.now();
      await jobs.add({ queue: 'q', id: 'a', data: { n: 1 }, attempts: 2, backoffMs: 1 });
      await jobs.add({ queue: 'q', id: 'b', data: { n: 2 }, attempts: 1, keepIdMs: 60_000 });
      await until(() => idle(jobs));
      expect(await jobs.counts('q')).toEqual({ waiting: 0, delayed: 0, running: 0, failed: 2 });
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
