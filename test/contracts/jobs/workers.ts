import type { Jobs } from '../../../contracts/ports/jobs';
import { latch, idle, type JobsHarness, until } from './harness';

export function describeWorkers({ fresh, another, work }: JobsHarness): void {
  describe('a worker', () => {
    test('runs jobs in the order they were added, one at a time', async () => {
      const jobs = await fresh();
      const ids = Array.from({ length: 20 }, (_, n) => `job ${(n * 7) % 20}`);
      for (const id of ids) await jobs.add({ queue: 'q', id, data: {} });
      const events: string[] = [];
      work(jobs, async ({ id }) => {
        events.push(`start ${id}`);
        await new Promise(resolve => setImmediate(resolve));
        events.push(`end ${id}`);
      });
      await until(() => idle(jobs));
      expect(events).toEqual(ids.flatMap(id => [`start ${id}`, `end ${id}`]));
    });

    test('runs up to `concurrency` jobs at a time', async () => {
      const jobs = await fresh();
      for (let n = 0; n < 9; n += 1) await jobs.add({ queue: 'q', id: `${n}`, data: {} });
      const full = latch();
      let [running, maxRunning] = [0, 0];
      const handle = async (): Promise<void> => {
        running += 1;
        maxRunning = Math.max(maxRunning, running);
        if (running === 3) full.open();
        await full.opened;
        running -= 1;
      };
      work(jobs, handle, { concurrency: 3 });
      await until(() => idle(jobs));
      expect(maxRunning).toBe(3);
    });

    test('does not take jobs of other queues', async () => {
      const jobs = await fresh();
      await jobs.add({ queue: 'r', id: 'a', data: {} });
      await jobs.add({ queue: 'q', id: 'b', data: {} });
      const ran: string[] = [];
      work(jobs, ({ id }) => void ran.push(id));
      await until(() => idle(jobs));
      expect(ran).toEqual(['b']);
    });

    test('shares a queue with other workers, and each job runs once', async () => {
      const jobs = await fresh();
      const clients = [jobs, await another(), await another()];
      const runs = new Map<string, number>();
      for (const client of clients)
        work(
          client,
          async ({ id }) => {
            runs.set(id, (runs.get(id) ?? 0) + 1);
            await new Promise(resolve => setTimeout(resolve, 1));
          },
          { concurrency: 2 },
        );
      const ids = Array.from({ length: 150 }, (_, n) => `${n}`);
      await Promise.all(ids.map((id, n) => clients[n % 3]!.add({ queue: 'q', id, data: {} })));
      await until(() => idle(jobs));
      expect(Object.fromEntries(runs)).toEqual(Object.fromEntries(ids.map(id => [id, 1])));
    });

    /** Whether a job of more than two leases runs once while another worker waits for it. */
    const runsOnce = async (jobs: Jobs, other: Jobs, leaseMs: number): Promise<boolean> => {
      const queue = `lease of ${leaseMs}`;
      let runs = 0;
      const finish = latch();
      const handle = async (): Promise<void> => {
        runs += 1;
        await finish.opened;
      };
      for (const client of [jobs, other]) work(client, handle, { queue, leaseMs });
      await jobs.add({ queue, id: 'long', data: {} });
      // By the same clock.
      const later = latch();
      work(other, later.open, { queue: `after ${queue}` });
      await jobs.add({ queue: `after ${queue}`, id: 'later', data: {}, delayMs: 2.5 * leaseMs });
      await later.opened;
      finish.open();
      await until(async () => (await jobs.counts(queue)).running === 0);
      return runs === 1;
    };

    test('renews the lease of a long job', async () => {
      const jobs = await fresh();
      const other = await another();
      // A worker that is not scheduled for as long as its lease loses it: only the longest one decides.
      const once =
        (await runsOnce(jobs, other, 600)) ||
        (await runsOnce(jobs, other, 6_000)) ||
        (await runsOnce(jobs, other, 60_000));
      expect(once).toBe(true);
    });
  });
}
