import type { Job } from '../../../contracts/ports/jobs';
import { NEVER_MS } from '../harness';
import { latch, idle, type JobsHarness, until } from './harness';

export function describeAdding({ fresh, another, work }: JobsHarness): void {
  describe('add', () => {
    test('runs the job with its data', async () => {
      const jobs = await fresh();
      const data = { text: 'ä\0"', list: [1, null, { deep: true }] };
      expect(await jobs.add({ queue: 'q', id: 'a', data })).toBe(true);
      const ran: Job[] = [];
      work(jobs, job => void ran.push(job));
      await until(() => idle(jobs));
      expect(ran).toMatchObject([{ queue: 'q', id: 'a', data, attempt: 1 }]);
      expect(await jobs.counts('q')).toEqual({ waiting: 0, delayed: 0, running: 0, failed: 0 });
    });

    test('wakes an idle worker of this client or another', async () => {
      const jobs = await fresh();
      const other = await another();
      const ran: string[] = [];
      work(jobs, ({ id }) => void ran.push(id));
      await jobs.add({ queue: 'q', id: 'a', data: {} });
      await until(() => ran.length === 1);
      await other.add({ queue: 'q', id: 'b', data: {} });
      await until(() => ran.length === 2);
      expect(ran).toEqual(['a', 'b']);
    });

    test('does nothing while a job with the id is waiting or running', async () => {
      const jobs = await fresh();
      const other = await another();
      const add = (n: number) => jobs.add({ queue: 'q', id: 'a', data: { n } });
      expect(await Promise.all([add(1), add(2), add(3)])).toEqual([true, false, false]);
      expect(await other.add({ queue: 'q', id: 'a', data: { n: 4 } })).toBe(false);
      const [started, finish] = [latch(), latch()];
      const ran: unknown[] = [];
      work(jobs, async ({ data }) => {
        ran.push(data.n);
        started.open();
        await finish.opened;
      });
      await started.opened;
      expect(await add(5)).toBe(false);
      finish.open();
      await until(() => idle(jobs));
      expect(await add(6)).toBe(true);
      await until(() => idle(jobs));
      expect(ran).toEqual([1, 6]);
    });

    test('of one id by several clients at once adds one job', async () => {
      const jobs = await fresh();
      const clients = [jobs, await another(), await another()];
      const added = await Promise.all(clients.map(client => client.add({ queue: 'q', id: 'a', data: {} })));
      expect(added.filter(Boolean)).toHaveLength(1);
    });

    test('does nothing while a completed job keeps its id', async () => {
      const jobs = await fresh();
      let runs = 0;
      work(jobs, () => void (runs += 1));
      const add = (keepIdMs: number) => jobs.add({ queue: 'q', id: 'a', data: {}, keepIdMs });
      await add(100);
      await until(() => idle(jobs));
      await until(() => add(NEVER_MS));
      await until(() => idle(jobs));
      expect(await add(0)).toBe(false);
      expect(runs).toBe(2);
    });

    test('treats an id as unique per queue', async () => {
      const jobs = await fresh();
      expect(await jobs.add({ queue: 'q', id: 'a', data: {} })).toBe(true);
      expect(await jobs.add({ queue: 'r', id: 'a', data: {} })).toBe(true);
      expect(await jobs.counts('r')).toEqual({ waiting: 1, delayed: 0, running: 0, failed: 0 });
    });

    test.each(['relay:0:abc', 'a/b c', '%3A', 'ä😀', "'; DROP TABLE jobs"])('accepts the id %p', async id => {
      const jobs = await fresh();
      const ran: string[] = [];
      work(jobs, job => void ran.push(job.id));
      await jobs.add({ queue: 'q:1', id, data: {} });
      await jobs.add({ queue: 'q', id, data: {} });
      await until(() => ran.length > 0);
      expect(ran).toEqual([id]);
    });

    test.each([
      { id: '' },
      { id: 'a'.repeat(501) },
      { id: 'a\0b' },
      { queue: '' },
      { attempts: 0 },
      { attempts: 1.5 },
      { delayMs: -1 },
      { delayMs: NaN },
      { backoffMs: Infinity },
      { keepIdMs: -1 },
    ])('rejects %j', async wrong => {
      const jobs = await fresh();
      await expect(jobs.add({ queue: 'q', id: 'a', data: {}, ...wrong })).rejects.toThrow(TypeError);
    });

    test('with a delay runs the job later', async () => {
      const jobs = await fresh();
      const ran: number[] = [];
      work(jobs, () => void ran.push(Date.now()));
      const added = Date.now();
      await jobs.add({ queue: 'q', id: 'later', data: {}, delayMs: 150 });
      await until(() => ran.length === 1);
      expect(ran[0]! - added).toBeGreaterThanOrEqual(149);
    });

    test('with a delay counts it as delayed until it is due, also while nobody works on the queue', async () => {
      const jobs = await fresh();
      await jobs.add({ queue: 'q', id: 'now', data: {} });
      await jobs.add({ queue: 'q', id: 'never', data: {}, delayMs: NEVER_MS });
      await jobs.add({ queue: 'q', id: 'soon', data: {}, delayMs: 100 });
      await until(async () => (await jobs.counts('q')).delayed === 1);
      expect(await jobs.counts('q')).toEqual({ waiting: 3, delayed: 1, running: 0, failed: 0 });
    });

    test('with a delay does not delay other jobs', async () => {
      const jobs = await fresh();
      const ran: string[] = [];
      work(jobs, ({ id }) => void ran.push(id));
      await jobs.add({ queue: 'q', id: 'later', data: {}, delayMs: NEVER_MS });
      await jobs.add({ queue: 'q', id: 'now', data: {} });
      await until(async () => ran.length === 1 && (await jobs.counts('q')).running === 0);
      expect(ran).toEqual(['now']);
      expect(await jobs.counts('q')).toEqual({ waiting: 1, delayed: 1, running: 0, failed: 0 });
    });
  });
}
