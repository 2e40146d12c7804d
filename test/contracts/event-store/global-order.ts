import { BEGINNING } from '../../../contracts/position';
import type { EventStore, ReadAllOptions } from '../../../contracts/ports/event-store';
import {
  event,
  events,
  collectBatches,
  idsOf,
  newCategory,
  newStream,
  type EventStoreHarness,
} from './fixtures';

/** Six events, alternating between two categories. */
const sixOfTwo = async (store: EventStore) => {
  const [even, odd] = [newCategory(), newCategory()];
  const before = await store.head();
  const list = events(6);
  const positions: number[] = [];
  for (const [index, added] of list.entries())
    positions.push(
      (await store.append(`${index % 2 === 0 ? even : odd}-${index}`, 'no_stream', [added])).position,
    );
  return { before, even, odd, list, positions };
};

export function describeGlobalOrder({ fresh }: EventStoreHarness): void {
  describe('readAll', () => {
    const both = ['even', 'odd'] as const;
    type Choice = readonly ('even' | 'odd')[];
    test.each<[string, Choice, { after?: number; limit?: number; direction?: 'backwards' }, number[]]>([
      ['both categories', both, {}, [0, 1, 2, 3, 4, 5]],
      ['one category', ['odd'], {}, [1, 3, 5]],
      ['no category', [], {}, []],
      ['a category passed twice', ['even', 'even'], {}, [0, 2, 4]],
      ['after a position', both, { after: 2 }, [3, 4, 5]],
      ['one category after a position of another', ['even'], { after: 1 }, [2, 4]],
      ['the first few', both, { limit: 4 }, [0, 1, 2, 3]],
      ['backwards', both, { direction: 'backwards' }, [5, 4, 3, 2, 1, 0]],
      ['backwards below a position', ['odd'], { direction: 'backwards', after: 5 }, [3, 1]],
      ['the last one', ['even'], { direction: 'backwards', limit: 1 }, [4]],
    ])('%s', async (_, choice, { after, ...rest }, expected) => {
      const store = await fresh();
      const { list, positions, ...names } = await sixOfTwo(store);
      const options: ReadAllOptions = {
        ...rest,
        categories: choice.map(which => names[which]),
        ...(after !== undefined && { after: positions[after]! }),
      };
      const read = await collectBatches(store.readAll(options));
      expect(idsOf(read)).toEqual(expected.map(index => list[index]!.id));
      expect(read.map(({ position }) => position)).toEqual(expected.map(index => positions[index]));
    });

    test('without categories reads everything after a position, in order', async () => {
      const store = await fresh();
      const { before, list } = await sixOfTwo(store);
      const read = await collectBatches(store.readAll({ after: before }));
      const known = new Set(idsOf(list));
      expect(idsOf(read.filter(({ id }) => known.has(id)))).toEqual(idsOf(list));
      for (const [index, { position }] of read.entries())
        expect(position).toBeGreaterThan(index === 0 ? before : read[index - 1]!.position);
    });

    test('a category ends at the first dash', async () => {
      const store = await fresh();
      const category = newCategory();
      const [plain, dashed, longer] = [event(), event(), event()];
      await store.append(category, 'no_stream', [plain]);
      await store.append(`${category}-a-b`, 'no_stream', [dashed]);
      await store.append(`${category}s-1`, 'no_stream', [longer]);
      expect(idsOf(await collectBatches(store.readAll({ categories: [category] })))).toEqual(
        idsOf([plain, dashed]),
      );
      expect(await collectBatches(store.readAll({ categories: [`${category}-a`] }))).toEqual([]);
    });

    test('thousands are read in batches, forwards and backwards', async () => {
      const store = await fresh();
      const category = newCategory();
      const lists = Array.from({ length: 26 }, () => events(100));
      for (const [index, list] of lists.entries())
        await store.append(`${category}-${index}`, 'no_stream', list);
      const all = idsOf(lists.flat());
      expect(
        idsOf(await collectBatches(store.readAll({ after: BEGINNING, categories: [category] }))),
      ).toEqual(all);
      const back = await collectBatches(store.readAll({ categories: [category], direction: 'backwards' }));
      expect(idsOf(back).reverse()).toEqual(all);
      for await (const batch of store.readAll({ categories: [category] })) {
        expect(batch.length).toBeGreaterThan(0);
        expect(batch.length).toBeLessThan(all.length);
      }
    });

    test('the head is the position of the last event, from any stream', async () => {
      const store = await fresh();
      const before = await store.head();
      expect(before).toBeGreaterThanOrEqual(BEGINNING);
      const { position } = await store.append(newStream(), 'no_stream', events(2));
      expect(position).toBeGreaterThan(before);
      expect(await store.head()).toBeGreaterThanOrEqual(position);
    });

    test('the end is not before the head, nor before the checkpoint of a subscription', async () => {
      const store = await fresh();
      const category = newCategory();
      const { position } = await store.append(`${category}-1`, 'no_stream', events(2));
      await store.append(newStream(), 'no_stream', events(2));
      const stop = new AbortController();
      for await (const batch of store.subscribe({
        after: BEGINNING,
        categories: [category],
        signal: stop.signal,
      })) {
        if (batch.position >= position) stop.abort();
        expect(await store.end()).toBeGreaterThanOrEqual(batch.position);
      }
      expect(await store.end()).toBeGreaterThanOrEqual(await store.head());
    });
  });
}
