import * as fc from 'fast-check';
import { shareLeft, shareOf } from '../../contracts/bound';
import type { RateLimits } from '../../contracts/ports/rate-limits';
import { runs } from '../random';

/** What callers may leave within a day, in two quotas of the same size: one of each kind of call. */
const QUOTA = 40;
export const PER_DAY = { reviews_per_day: QUOTA, orders_per_day: QUOTA };

/**
 * What a caller has of the quota of a day, on any engine.
 * @param open limits on which nothing is counted: of two processes, or twice of one
 */
export function describeShares(name: string, open: () => Promise<readonly [RateLimits, RateLimits]>): void {
  describe(`shares of a day: ${name}`, () => {
    const keys = (own: string) => ({ everybody: 'everybody', own });
    const take = async (limits: RateLimits, own: string): Promise<boolean> =>
      (await limits.takeShare('reviews_per_day', keys(own), 1)) === null;
    const passed = (answers: readonly boolean[]): number => answers.filter(Boolean).length;

    test('calls at the same time are no more than the share of their caller, and others have theirs', async () => {
      const processes = await open();
      const flood = Array.from({ length: 200 }, (_, n) => take(processes[n % 2]!, 'stranger'));
      expect(passed(await Promise.all(flood))).toBe(shareOf(QUOTA));
      expect(await take(processes[0], 'honest')).toBe(true);
    });

    test('calls of any number of callers at the same time are no more than all may make', async () => {
      const processes = await open();
      const flood = Array.from({ length: 300 }, (_, n) => take(processes[n % 2]!, `stranger ${n % 60}`));
      expect(passed(await Promise.all(flood))).toBe(QUOTA);
    });

    test('one beyond the share is told when the day ends, and one of another quota is not', async () => {
      const [limits] = await open();
      await limits.takeShare('reviews_per_day', keys('stranger'), shareOf(QUOTA));
      const exceeded = await limits.takeShare('reviews_per_day', keys('stranger'), 1);
      expect(exceeded).toMatchObject({ quota: QUOTA });
      const untilMidnight = 86_400 - ((Date.now() / 1_000) % 86_400);
      expect(Math.abs(exceeded!.resetsIn - untilMidnight)).toBeLessThan(60);
      expect(await limits.takeShare('orders_per_day', keys('stranger'), 1)).toBeNull();
      expect(await limits.takeShare('lifted_per_day', keys('stranger'), 1_000)).toBeNull();
    });

    test('a share is a quarter of what the others leave, whatever calls cost', async () => {
      const call = fc.record({ own: fc.constantFrom('a', 'b', 'c'), cost: fc.integer({ min: 1, max: 6 }) });
      const [limits] = await open();
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(call, { maxLength: 40 }), async calls => {
          run += 1;
          const taken = new Map<string, number>();
          let all = 0;
          for (const { own, cost } of calls) {
            const before = taken.get(own) ?? 0;
            const isLeft = shareLeft(QUOTA, all, before) >= cost;
            const of = { everybody: `everybody ${run}`, own: `${own} ${run}` };
            expect((await limits.takeShare('reviews_per_day', of, cost)) === null).toBe(isLeft);
            if (!isLeft) continue;
            taken.set(own, before + cost);
            all += cost;
          }
        }),
        runs(30),
      );
    });
  });
}
