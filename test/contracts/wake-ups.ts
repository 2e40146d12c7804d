import type { ChangedParts, WakeUps } from '../../contracts/ports/wake-ups';
import { until } from '../until';
import { createHarness, NEVER_MS, type Open } from './harness';

export interface WakeUpsTraits {
  /** Whether notifications reach other clients; where they do not, waiters poll. */
  readonly crossClient: boolean;
}

/**
 * The contract of the wake-ups port, for every adapter.
 *
 * @param open opens the wake-ups with a name that is new for each test; twice with one name gives two clients of the
 * same wake-ups
 */
export function describeWakeUps(name: string, open: Open<WakeUps>, { crossClient }: WakeUpsTraits): void {
  describe(`wake-ups in ${name}`, () => {
    const { fresh, another } = createHarness(open);

    /** Records the names of the wait when it ends. */
    const wait = (wakeUps: WakeUps, names: readonly string[], woken: string[]): Promise<void> =>
      wakeUps.wait(names, NEVER_MS).then(() => void woken.push(names.join()));

    test('a notification wakes all waiters of its names, and no others', async () => {
      const wakeUps = await fresh();
      const woken: string[] = [];
      const [a, b, c] = [['a'], ['x', 'b'], ['c']].map(names => wait(wakeUps, names, woken));
      wakeUps.notify(['b', 'a', 'nobody']);
      await Promise.all([a, b]);
      expect([...woken].sort()).toEqual(['a', 'x,b']);
      wakeUps.notify(['c']);
      await c;
    });

    test('a notification from before the wait does not end it', async () => {
      const wakeUps = await fresh();
      wakeUps.notify(['a']);
      const woken: string[] = [];
      const again = wait(wakeUps, ['a'], woken);
      const other = wait(wakeUps, ['b'], woken);
      wakeUps.notify(['b']);
      await other;
      expect(woken).toEqual(['b']);
      wakeUps.notify(['a']);
      await again;
    });

    test('a wait ends at its time-out', async () => {
      const wakeUps = await fresh();
      await wakeUps.wait(['a'], 5);
      await wakeUps.wait(['a'], 0);
    });

    test('closing wakes all waiters, and a notification after it does nothing', async () => {
      const wakeUps = await fresh();
      const waiting = [wakeUps.wait(['a'], NEVER_MS), wakeUps.wait(['b'], NEVER_MS)];
      await wakeUps.close();
      await Promise.all(waiting);
      wakeUps.notify(['a']);
    });

    describe('a subscriber', () => {
      /** The calls of a subscriber, and how it unsubscribes. */
      const subscribe = (wakeUps: WakeUps, name: string) => {
        const calls: (string | null)[] = [];
        const end = wakeUps.subscribe(name, parts => void calls.push(parts && [...parts].sort().join()));
        return { calls, end };
      };

      test('is called with the changed parts of its name, or null when they are unknown', async () => {
        const wakeUps = await fresh();
        const { calls } = subscribe(wakeUps, 'a');
        wakeUps.notify(['b'], new Set(['x']));
        wakeUps.notify(['a', 'b'], new Set(['x', 'y']));
        wakeUps.notify(['a']);
        expect(calls).toEqual(['x,y', null]);
      });

      test('is called until it unsubscribes, which ends no other subscription', async () => {
        const wakeUps = await fresh();
        const onChange = jest.fn((_parts: ChangedParts) => undefined);
        const [endFirst, endSecond] = [wakeUps.subscribe('a', onChange), wakeUps.subscribe('a', onChange)];
        endFirst();
        endFirst();
        wakeUps.notify(['a']);
        expect(onChange).toHaveBeenCalledTimes(1);
        endSecond();
        wakeUps.notify(['a']);
        expect(onChange).toHaveBeenCalledTimes(1);
      });

      test('is called once for a notification that wakes a waiter too', async () => {
        const wakeUps = await fresh();
        const { calls } = subscribe(wakeUps, 'a');
        const woken = wakeUps.wait(['a'], NEVER_MS);
        wakeUps.notify(['a'], new Set(['x']));
        await woken;
        expect(calls).toEqual(['x']);
      });

      if (!crossClient) return;

      test('of another client is called with the parts, those of several notifications together', async () => {
        const [near, far] = [await fresh(), await another()];
        const { calls } = subscribe(far, 'a');
        const other = subscribe(far, 'b');
        near.notify(['a'], new Set(['x']));
        near.notify(['a'], new Set(['y']));
        near.notify(['b']);
        await until(() => other.calls.length > 0);
        expect(new Set(calls.flatMap(parts => parts!.split(',')))).toEqual(new Set(['x', 'y']));
        expect(other.calls).toEqual([null]);
      });

      test('of another client learns that anything may have changed when more parts changed than are named', async () => {
        const [near, far] = [await fresh(), await another()];
        const { calls } = subscribe(far, 'a');
        near.notify(['a'], new Set(Array.from({ length: 100_000 }, (_, n) => `part ${n}`)));
        await until(() => calls.length > 0);
        expect(calls).toEqual([null]);
      });
    });

    if (!crossClient) return;

    test('a notification wakes waiters of another client', async () => {
      const [near, far] = [await fresh(), await another()];
      const woken: string[] = [];
      const waiting = [wait(far, ['a'], woken), wait(far, ['a', 'b'], woken)];
      const other = wait(far, ['b'], woken);
      near.notify(['a']);
      await Promise.all(waiting);
      expect(woken).toEqual(['a', 'a,b']);
      near.notify(['b']);
      await other;
    });

    test('many notifications at once wake every waiter', async () => {
      const [near, far] = [await fresh(), await another()];
      const names = Array.from({ length: 50 }, (_, n) => `documents/${n}`);
      const waiting = Promise.all(names.map(name => far.wait([name], NEVER_MS)));
      for (let round = 0; round < 200; round += 1) near.notify([names[round % 10]!, `round ${round}`]);
      for (const name of names) near.notify([name]);
      await waiting;
    });
  });
}
