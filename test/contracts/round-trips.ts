import type { TonClient } from '../../contracts/ports/ton-client';

/** Counts how often a reader of a node waits for it: calls that are made together are one round trip. */
interface RoundTrips {
  readonly client: Partial<TonClient>;
  count(): number;
}

/** @param client a double whose answers are held back until nothing else is asked */
export function countRoundTrips(client: Partial<TonClient>): RoundTrips {
  let trips = 0;
  let waiting: Promise<void> | null = null;
  const nextTrip = (): Promise<void> =>
    (waiting ??= new Promise(resolve => {
      setImmediate(() => {
        trips++;
        waiting = null;
        resolve();
      });
    }));
  const methods = Object.entries(client).map(([name, method]) => [
    name,
    async (...args: readonly unknown[]) => {
      await nextTrip();
      return (method as (...args: readonly unknown[]) => unknown)(...args);
    },
  ]);
  return { client: Object.fromEntries(methods) as Partial<TonClient>, count: () => trips };
}
