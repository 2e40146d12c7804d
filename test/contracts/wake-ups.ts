import type { WakeUps } from '../../infra/engines/wake-ups/port';
import { type Open, placesOf } from './places';

/** Milliseconds; longer than any test may take. */
const FOREVER = 60_000;

export interface WakeUpsTraits {
  /** Whether word goes from one client to another; where it does not, a sleeper looks again by himself. */
  readonly carried: boolean;
}

/**
 * What every adapter of the wake-ups port does.
 *
 * @param open opens the wake-ups at a place, a name that is new for each test; twice for one place gives two clients of
 *   the same wake-ups
 */
export function describeWakeUps(name: string, open: Open<WakeUps>, { carried }: WakeUpsTraits): void {
  describe(`wake-ups in ${name}`, () => {
    const { fresh, another } = placesOf(open);

    /** Tells who woke, in order. */
    const sleep = (wakeUps: WakeUps, names: readonly string[], woken: string[]): Promise<void> =>
      wakeUps.changed(names, FOREVER).then(() => void woken.push(names.join()));

    test('an announcement wakes all who sleep on one of its names, and nobody else', async () => {
      const wakeUps = await fresh();
      const woken: string[] = [];
      const [a, b, c] = [['a'], ['x', 'b'], ['c']].map(names => sleep(wakeUps, names, woken));
      wakeUps.announce(['b', 'a', 'nobody']);
      await Promise.all([a, b]);
      expect([...woken].sort()).toEqual(['a', 'x,b']);
      wakeUps.announce(['c']);
      await c;
    });

    test('what was announced before is no reason to wake', async () => {
      const wakeUps = await fresh();
      wakeUps.announce(['a']);
      const woken: string[] = [];
      const again = sleep(wakeUps, ['a'], woken);
      const other = sleep(wakeUps, ['b'], woken);
      wakeUps.announce(['b']);
      await other;
      expect(woken).toEqual(['b']);
      wakeUps.announce(['a']);
      await again;
    });

    test('sleep ends at its time-out', async () => {
      const wakeUps = await fresh();
      await wakeUps.changed(['a'], 5);
      await wakeUps.changed(['a'], 0);
    });

    test('closing wakes everybody, and announcing after it does nothing', async () => {
      const wakeUps = await fresh();
      const asleep = [wakeUps.changed(['a'], FOREVER), wakeUps.changed(['b'], FOREVER)];
      await wakeUps.close();
      await Promise.all(asleep);
      wakeUps.announce(['a']);
    });

    if (!carried) return;

    test('an announcement wakes who sleeps in another client', async () => {
      const [near, far] = [await fresh(), await another()];
      const woken: string[] = [];
      const asleep = [sleep(far, ['a'], woken), sleep(far, ['a', 'b'], woken)];
      const other = sleep(far, ['b'], woken);
      near.announce(['a']);
      await Promise.all(asleep);
      expect(woken).toEqual(['a', 'a,b']);
      near.announce(['b']);
      await other;
    });

    test('a storm of announcements leaves nobody asleep', async () => {
      const [near, far] = [await fresh(), await another()];
      const names = Array.from({ length: 50 }, (_, n) => `documents/${n}`);
      const asleep = Promise.all(names.map(name => far.changed([name], FOREVER)));
      for (let round = 0; round < 200; round += 1) near.announce([names[round % 10]!, `round ${round}`]);
      for (const name of names) near.announce([name]);
      await asleep;
    });
  });
}
