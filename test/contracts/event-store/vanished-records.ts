import fc from 'fast-check';
import { BEGINNING, type Position } from '../../../contracts/position';
import type { EventStore } from '../../../contracts/ports/event-store';
import { runs } from '../../random';
import { collectBatches, events, idsOf, newCategory, newStream, type EventStoreHarness } from './fixtures';

/** Removes streams with all their records, as operators do: positions have no record where those were. */
export type Vanish = (streams: readonly string[]) => Promise<void>;

/** What is appended, in order: events of the category, or of another writer, whose records may vanish. */
const history = fc.array(fc.record({ isOwn: fc.boolean(), vanishes: fc.boolean() }), {
  minLength: 1,
  maxLength: 12,
});

/** Takes batches until the position is reached. @returns ids, and the position of the last batch */
const receive = async (
  store: EventStore,
  after: Position,
  category: string,
  upTo: Position,
  batchSize: number,
): Promise<{ readonly ids: string[]; readonly position: Position }> => {
  const ids: string[] = [];
  const signal = AbortSignal.timeout(120_000);
  for await (const batch of store.subscribe({ after, categories: [category], batchSize, signal })) {
    ids.push(...idsOf(batch.events));
    if (batch.position >= upTo) return { ids, position: batch.position };
  }
  throw new Error(`position ${upTo} was not reached`);
};

/** For stores of which operators can remove records. */
export function describeVanishedRecords({ fresh }: EventStoreHarness, vanish: Vanish): void {
  describe('when records of others have vanished', () => {
    const append = async (
      store: EventStore,
      category: string,
      list: readonly { readonly isOwn: boolean; readonly vanishes: boolean }[],
    ) => {
      const own: string[] = [];
      const vanishing: string[] = [];
      let last = BEGINNING;
      for (const [n, { isOwn, vanishes }] of list.entries()) {
        const added = events(1);
        const stream = isOwn ? `${category}-${n}${newStream()}` : newStream();
        if (isOwn) own.push(...idsOf(added));
        else if (vanishes) vanishing.push(stream);
        last = (await store.append(stream, 'no_stream', added)).position;
      }
      return { own, vanishing, last };
    };

    test('a subscription continues from its position without gaps or duplicates', async () => {
      const store = await fresh();
      const property = fc.asyncProperty(
        history,
        history,
        fc.integer({ min: 1, max: 5 }),
        async (first, second, batchSize) => {
          const category = newCategory();
          const start = await store.end();
          const before = await append(store, category, first);
          const received = await receive(store, start, category, before.last, batchSize);
          expect(received.ids).toEqual(before.own);

          // Stopped: its position may be that of a record that vanishes.
          const later = await append(store, category, second);
          await vanish([...before.vanishing, ...later.vanishing]);
          const sentinel = events(1);
          const { position } = await store.append(`${category}-last`, 'no_stream', sentinel);
          const resumed = await receive(store, received.position, category, position, batchSize);
          expect(resumed.ids).toEqual([...later.own, ...idsOf(sentinel)]);
        },
      );
      await fc.assert(property, runs(15));
    });

    test('a read continues after its position', async () => {
      const store = await fresh();
      const category = newCategory();
      const before = await append(store, category, [
        { isOwn: true, vanishes: false },
        { isOwn: false, vanishes: true },
      ]);
      const later = await append(store, category, [{ isOwn: true, vanishes: false }]);
      await vanish(before.vanishing);
      const read = await collectBatches(store.readAll({ after: before.last, categories: [category] }));
      expect(idsOf(read)).toEqual(later.own);
    });
  });
}
