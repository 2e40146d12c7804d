import { latch, type JobsHarness, until } from './harness';

const slotOf = (id: string): number => Number(id.split('@').at(-1));

export function describeSchedules({ fresh, another, work }: JobsHarness): void {
  describe('a schedule', () => {
    test('runs once at each multiple of its interval, however many workers there are', async () => {
      const jobs = await fresh();
      const other = await another();
      const ran: string[] = [];
      const schedule = { queue: 'q', id: 'close:day', everyMs: 100, data: { n: 1 } };
      for (const client of [jobs, other]) {
        await client.schedule(schedule);
        work(client, ({ id, data }) => {
          expect(data).toEqual({ n: 1 });
          ran.push(id);
        });
      }
      await until(() => ran.length >= 5);
      expect(new Set(ran).size).toBe(ran.length);
      for (const id of ran) expect(id).toBe(`close:day@${slotOf(id)}`);
      for (const id of ran) expect(slotOf(id) % 100).toBe(0);
      expect([...ran].sort()).toEqual(ran);
    });

    test('never runs before its slot', async () => {
      const jobs = await fresh();
      const ran: [number, number][] = [];
      await jobs.schedule({ queue: 'q', id: 's', everyMs: 70, data: {} });
      work(jobs, ({ id }) => void ran.push([slotOf(id), Date.now()]));
      await until(() => ran.length >= 3);
      for (const [slot, at] of ran) expect(at).toBeGreaterThanOrEqual(slot);
    });

    test('runs once for all missed slots', async () => {
      const jobs = await fresh();
      await jobs.schedule({ queue: 'q', id: 's', everyMs: 50, data: {} });
      const start = Date.now() + 200;
      await until(() => Date.now() >= start);
      const ran: number[] = [];
      work(jobs, ({ id }) => void ran.push(slotOf(id)));
      await until(() => ran.length >= 2);
      expect(ran[0]).toBeLessThanOrEqual(start);
      expect(ran[1]).toBeGreaterThan(start);
    });

    test('can be changed to another interval and other data', async () => {
      const jobs = await fresh();
      const other = await another();
      await jobs.schedule({ queue: 'q', id: 's', everyMs: 86_400_000, data: { n: 1 } });
      await other.schedule({ queue: 'q', id: 's', everyMs: 60, data: { n: 2 } });
      await other.schedule({ queue: 'q', id: 's', everyMs: 60, data: { n: 3 } });
      expect(await jobs.counts('q')).toMatchObject({ waiting: 1 });
      const ran: unknown[] = [];
      work(jobs, ({ data }) => void ran.push(data.n));
      await until(() => ran.length >= 2);
      expect(new Set(ran)).toEqual(new Set([3]));
    });

    test('stops when it is unscheduled', async () => {
      const jobs = await fresh();
      const running = latch();
      let runs = 0;
      await jobs.schedule({ queue: 'q', id: 's', everyMs: 50, data: {} });
      work(jobs, async ({ id }) => {
        runs += id.startsWith('s@') ? 1 : 0;
        running.open();
      });
      await running.opened;
      await jobs.unschedule('q', 's');
      await until(async () => (await jobs.counts('q')).running === 0);
      expect(await jobs.counts('q')).toEqual({ waiting: 0, delayed: 0, running: 0, failed: 0 });
      const before = runs;
      const passed = latch();
      work(jobs, () => passed.open(), { queue: 'timer' });
      await jobs.add({ queue: 'timer', id: 'later', data: {}, delayMs: 150 });
      await passed.opened;
      expect(runs).toBe(before);
      await jobs.unschedule('q', 'never');
    });

    test('does not conflict with a job that has the id of a slot', async () => {
      const jobs = await fresh();
      const slots = Array.from({ length: 40 }, (_, n) => (Math.floor(Date.now() / 50) + n) * 50);
      for (const slot of slots)
        await jobs.add({ queue: 'q', id: `s@${slot}`, data: { mine: true }, keepIdMs: 60_000 });
      await jobs.schedule({ queue: 'q', id: 's', everyMs: 50, data: {} });
      let scheduled = 0;
      work(jobs, ({ data }) => void (scheduled += data.mine ? 0 : 1), { concurrency: 50 });
      await until(() => scheduled >= 2);
    });

    test('that fails lists only its last failure', async () => {
      const jobs = await fresh();
      let runs = 0;
      await jobs.schedule({ queue: 'q', id: 's', everyMs: 40, data: {} });
      work(jobs, () => {
        runs += 1;
        throw new Error(`run ${runs}`);
      });
      await until(() => runs >= 4);
      expect((await jobs.counts('q')).failed).toBe(1);
      expect(await jobs.failures('q', 9)).toMatchObject([{ attempts: 1 }]);
    });

    test.each([{ everyMs: 0 }, { everyMs: 1.5 }, { everyMs: -5 }, { id: '' }])(
      'is rejected with %j',
      async wrong => {
        const jobs = await fresh();
        await expect(
          jobs.schedule({ queue: 'q', id: 's', everyMs: 1_000, data: {}, ...wrong }),
        ).rejects.toThrow(TypeError);
      },
    );
  });
}
