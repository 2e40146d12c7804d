import fc from 'fast-check';
import { BEGINNING } from '../../../contracts/position';
import type { EventStore } from '../../../contracts/ports/event-store';
import { events, collectBatches, idsOf, newCategory, type EventStoreHarness } from './fixtures';
import { runs } from '../../random';

interface Subscriber {
  /** The number of appends before it subscribes. */
  readonly start: number;
  readonly batchSize: number;
  /** Turns of the event loop that it takes to handle a batch. */
  readonly pace: number;
  readonly client: number;
}

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise(resolve => setImmediate(resolve));
};

const receive = async (
  store: EventStore,
  categories: readonly string[],
  { batchSize, pace }: Subscriber,
  total: number,
): Promise<string[]> => {
  const ids: string[] = [];
  let position = BEGINNING;
  for await (const batch of store.subscribe({
    after: BEGINNING,
    categories,
    batchSize,
    signal: AbortSignal.timeout(60_000),
  })) {
    expect(batch.position).toBeGreaterThan(position);
    position = batch.position;
    ids.push(...idsOf(batch.events));
    if (ids.length >= total) break;
    await turns(pace);
  }
  return ids;
};

/** Appends of one to four events by two clients with pauses of a few turns, and subscribers that start between them. */
const scenario = fc.record({
  appends: fc.array(
    fc.record({
      size: fc.integer({ min: 1, max: 4 }),
      pause: fc.integer({ min: 0, max: 3 }),
      category: fc.nat(1),
    }),
    { minLength: 1, maxLength: 40 },
  ),
  subscribers: fc.array(
    fc.record({
      start: fc.nat(40),
      batchSize: fc.integer({ min: 1, max: 10 }),
      pace: fc.nat(3),
      client: fc.nat(1),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

export function describeCatchUp({ fresh, another }: EventStoreHarness): void {
  describe('the transition from catching up to live events', () => {
    test('delivers every event exactly once and in order, whatever the timing of appends and subscriptions', async () => {
      const clients = [await fresh(), await another()];
      const property = fc.asyncProperty(scenario, async ({ appends, subscribers }) => {
        const categories = [newCategory(), newCategory()];
        const total = appends.reduce((sum, { size }) => sum + size, 0);
        const receiving: Promise<string[]>[] = [];
        const appending: Promise<unknown>[] = [];
        const begin = (due: (subscriber: Subscriber) => boolean): void => {
          for (const subscriber of subscribers.filter(due))
            receiving.push(receive(clients[subscriber.client]!, categories, subscriber, total));
        };
        for (const [index, { size, pause, category }] of appends.entries()) {
          begin(({ start }) => start === index);
          const stream = `${categories[category]}-${index}`;
          appending.push(clients[index % 2]!.append(stream, 'no_stream', events(size)));
          await turns(pause);
        }
        begin(({ start }) => start >= appends.length);
        await Promise.all(appending);
        const recorded = idsOf(await collectBatches(clients[0]!.readAll({ categories })));
        expect(recorded).toHaveLength(total);
        for (const received of await Promise.all(receiving)) expect(received).toEqual(recorded);
      });
      await fc.assert(property, runs(10));
    });
  });
}
