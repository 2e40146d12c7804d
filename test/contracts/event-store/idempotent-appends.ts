import type {
  AppendResult,
  EventStore,
  ExpectedRevision,
  NewEvent,
} from '../../../contracts/ports/event-store';
import { event, events, streamIds, idsOf, newStream, type EventStoreHarness } from './fixtures';

/** A stream of five: one event, then three in one append, then one. */
const streamOfFive = async (store: EventStore) => {
  const stream = newStream();
  const list = events(5);
  const first = await store.append(stream, 'no_stream', list.slice(0, 1));
  const middle = await store.append(stream, 0, list.slice(1, 4));
  await store.append(stream, 3, list.slice(4));
  return { stream, list, first, middle };
};

export function describeIdempotentAppends({ fresh, another }: EventStoreHarness): void {
  describe('a repeated append', () => {
    const retries: [ExpectedRevision, from: number, to: number, which: 'first' | 'middle'][] = [
      ['no_stream', 0, 1, 'first'],
      ['any', 0, 1, 'first'],
      ['stream_exists', 0, 1, 'first'],
      [0, 1, 4, 'middle'],
      ['any', 1, 4, 'middle'],
      ['stream_exists', 1, 4, 'middle'],
    ];
    test.each(retries)(
      'expecting %p, events %i to %i, returns the same result',
      async (expected, from, to, which) => {
        const store = await fresh();
        const { stream, list, ...results } = await streamOfFive(store);
        const original: AppendResult = results[which];
        expect(await store.append(stream, expected, list.slice(from, to))).toEqual(original);
        expect(await (await another()).append(stream, expected, list.slice(from, to))).toEqual(original);
        expect(await streamIds(store, stream)).toEqual(idsOf(list));
      },
    );

    const conflicts: [why: string, ExpectedRevision, (list: NewEvent[]) => NewEvent[]][] = [
      ['first ids known, last one new', 0, list => [...list.slice(1, 3), event()]],
      ['first id new, last ones known', 0, list => [event(), ...list.slice(2, 4)]],
      ['in another order', 0, list => [list[2]!, list[1]!, list[3]!]],
      ['at another revision', 1, list => list.slice(1, 2)],
      ['running past the end', 3, list => [...list.slice(4), event()]],
      ['from the start, last one new', 'no_stream', list => [...list.slice(0, 1), event()]],
      ['anywhere, last one new', 'any', list => [...list.slice(1, 3), event()]],
      ['where a stream exists, last one new', 'stream_exists', list => [...list.slice(1, 3), event()]],
    ];
    test.each(conflicts)('with a difference is rejected: %s', async (_, expected, choose) => {
      const store = await fresh();
      const { stream, list } = await streamOfFive(store);
      await expect(store.append(stream, expected, choose(list))).rejects.toMatchObject({
        name: 'WrongExpectedRevision',
        stream,
        expected,
        actual: 4,
      });
      expect(await streamIds(store, stream)).toEqual(idsOf(list));
    });

    test('while the first is pending is the same append', async () => {
      const store = await fresh();
      for (const expected of ['no_stream', 'any'] as const) {
        const stream = newStream();
        const added = events(2);
        const [one, two] = await Promise.all([
          store.append(stream, expected, added),
          store.append(stream, expected, added),
        ]);
        expect(two).toEqual(one);
        expect(await streamIds(store, stream)).toEqual(idsOf(added));
      }
    });

    test('to another stream is a new append', async () => {
      const store = await fresh();
      const { list } = await streamOfFive(store);
      const other = newStream();
      await expect(store.append(other, 'any', list.slice(1, 4))).resolves.toMatchObject({ revision: 2 });
    });
  });
}
