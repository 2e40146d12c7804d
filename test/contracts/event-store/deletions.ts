import fc from 'fast-check';
import type { EventStore } from '../../../contracts/ports/event-store';
import { WrongExpectedRevision } from '../../../contracts/ports/event-store';
import { runs } from '../../random';
import {
  collect,
  collectBatches,
  event,
  events,
  idsOf,
  newCategory,
  newStream,
  streamIds,
  type EventStoreHarness,
} from './fixtures';

export function describeDeletions({ fresh, another }: EventStoreHarness): void {
  describe('deleteUpTo', () => {
    /** The last event of a store may stay. */
    const follow = (store: EventStore) => store.append(newStream(), 'no_stream', events(1));

    test('the events after the revision stay, with their revisions, and the stream goes on', async () => {
      const store = await fresh();
      const stream = newStream();
      const list = events(5);
      await store.append(stream, 'no_stream', list);
      await store.deleteUpTo(stream, 2);
      const left = await collect(store.readStream(stream));
      expect(left.map(({ id, revision }) => [id, revision])).toEqual([
        [list[3]!.id, 3],
        [list[4]!.id, 4],
      ]);
      expect(idsOf(await collect(store.readStream(stream, { direction: 'backwards' })))).toEqual(
        idsOf(left).reverse(),
      );
      await expect(store.append(stream, 'no_stream', events(1))).rejects.toThrow(WrongExpectedRevision);
      await expect(store.append(stream, 3, events(1))).rejects.toThrow(WrongExpectedRevision);
      expect(await store.append(stream, 4, events(1))).toMatchObject({ revision: 5 });
    });

    test('a stream whose events are all deleted does not exist, and can begin again', async () => {
      const store = await fresh();
      const [stream, other] = [newStream(), newStream()];
      await store.append(stream, 'no_stream', events(3));
      await store.append(other, 'no_stream', events(1));
      await store.deleteUpTo(stream, 2);
      expect(await streamIds(store, stream)).toEqual([]);
      expect(await streamIds(store, other)).toHaveLength(1);
      await expect(store.append(stream, 'stream_exists', events(1))).rejects.toThrow(WrongExpectedRevision);
      const [first, second] = [event({ n: 'first' }), event({ n: 'second' })];
      const { revision } = await store.append(stream, 'no_stream', [first]);
      expect(await store.append(stream, revision, [second])).toMatchObject({ revision: revision + 1 });
      expect(await streamIds(store, stream)).toEqual([first.id, second.id]);
    });

    test('an append that was repeated before it is recognized after it', async () => {
      const store = await fresh();
      const stream = newStream();
      const list = events(3);
      for (const each of list) await store.append(stream, 'any', [each]);
      const repeated = await store.append(stream, 'any', [list[2]!]);
      await store.deleteUpTo(stream, 1);
      expect(await store.append(stream, 'any', [list[2]!])).toEqual(repeated);
      expect(await streamIds(store, stream)).toEqual([list[2]!.id]);
    });

    test('nothing happens to a stream that does not exist, and to events that are deleted already', async () => {
      const store = await fresh();
      const stream = newStream();
      await store.deleteUpTo(stream, 3);
      const list = events(3);
      await store.append(stream, 'no_stream', list);
      await store.deleteUpTo(stream, 1);
      await store.deleteUpTo(stream, 0);
      await store.deleteUpTo(stream, 1);
      expect(await streamIds(store, stream)).toEqual([list[2]!.id]);
    });

    test('other clients see it, and append where the stream is', async () => {
      const store = await fresh();
      const other = await another();
      const stream = newStream();
      await other.append(stream, 'no_stream', events(2));
      await follow(store);
      await store.deleteUpTo(stream, 1);
      expect(await streamIds(other, stream)).toEqual([]);
      const again = events(1);
      await other.append(stream, 'no_stream', again);
      expect(await streamIds(store, stream)).toEqual(idsOf(again));
    });

    test('events that an append adds meanwhile stay', async () => {
      const store = await fresh();
      const stream = newStream();
      await store.append(stream, 'no_stream', events(2));
      const added = events(1);
      const [appended] = await Promise.allSettled([
        store.append(stream, 1, added),
        store.deleteUpTo(stream, 1),
      ]);
      await follow(store);
      await store.deleteUpTo(stream, 1);
      expect(await streamIds(store, stream)).toEqual(appended.status === 'fulfilled' ? idsOf(added) : []);
    });

    test('positions stay in order: reads and subscriptions have what is left, in order and once', async () => {
      const store = await fresh();
      const step = fc.record({ stream: fc.nat({ max: 2 }), isDeletion: fc.boolean() });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), async steps => {
          const category = newCategory();
          const after = await store.end();
          const revisions = [-1, -1, -1];
          let last = -1;
          for (const { stream, isDeletion } of steps) {
            const name = `${category}-${stream}`;
            if (isDeletion) {
              await store.deleteUpTo(name, revisions[stream]!);
              continue;
            }
            const { revision, position } = await store.append(name, 'any', events(1));
            expect(position).toBeGreaterThan(last);
            last = position;
            revisions[stream] = revision;
          }
          const streams = await Promise.all([0, 1, 2].map(n => streamIds(store, `${category}-${n}`)));
          const read = await collectBatches(store.readAll({ after, categories: [category] }));
          expect(idsOf(read)).toEqual(expect.arrayContaining(streams.flat()));
          expect(read.map(({ position }) => position)).toEqual(
            [...new Set(read.map(({ position }) => position))].sort((a, b) => a - b),
          );
          const sentinel = events(1);
          await store.append(`${category}-last`, 'no_stream', sentinel);
          const received: string[] = [];
          for await (const batch of store.subscribe({
            after,
            categories: [category],
            signal: AbortSignal.timeout(120_000),
          })) {
            received.push(...idsOf(batch.events));
            if (received.includes(sentinel[0]!.id)) break;
          }
          expect(received).toEqual([...idsOf(read), ...idsOf(sentinel)]);
        }),
        runs(15),
      );
    });
  });
}
