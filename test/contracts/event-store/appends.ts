import {
  MAX_APPEND_BYTES,
  AppendTooLarge,
  type ExpectedRevision,
} from '../../../contracts/ports/event-store';
import { event, events, streamIds, idsOf, newStream, type EventStoreHarness } from './fixtures';

export function describeAppends({ fresh, another }: EventStoreHarness): void {
  describe('append', () => {
    test('returns revision and position of the last event', async () => {
      const store = await fresh();
      const stream = newStream();
      const first = await store.append(stream, 'no_stream', [event()]);
      const second = await store.append(stream, 0, events(3));
      expect([first.revision, second.revision]).toEqual([0, 3]);
      expect(second.position).toBeGreaterThan(first.position);
      expect(await store.head()).toBeGreaterThanOrEqual(second.position);
    });

    test.each<[length: number, expected: ExpectedRevision, outcome: 'appended' | 'rejected']>([
      [0, 'no_stream', 'appended'],
      [0, 'any', 'appended'],
      [0, 'stream_exists', 'rejected'],
      [0, 0, 'rejected'],
      [0, 3, 'rejected'],
      [1, 'no_stream', 'rejected'],
      [1, 'any', 'appended'],
      [1, 'stream_exists', 'appended'],
      [1, 0, 'appended'],
      [1, 1, 'rejected'],
      [3, 'no_stream', 'rejected'],
      [3, 'any', 'appended'],
      [3, 'stream_exists', 'appended'],
      [3, 0, 'rejected'],
      [3, 1, 'rejected'],
      [3, 2, 'appended'],
      [3, 3, 'rejected'],
    ])('to a stream of %i events expecting %p is %s', async (length, expected, outcome) => {
      const store = await fresh();
      const stream = newStream();
      const before = events(length);
      if (length > 0) await store.append(stream, 'no_stream', before);
      const added = events(2);
      const append = store.append(stream, expected, added);
      if (outcome === 'appended') await expect(append).resolves.toMatchObject({ revision: length + 1 });
      else
        await expect(append).rejects.toMatchObject({
          name: 'WrongExpectedRevision',
          stream,
          expected,
          actual: length === 0 ? null : length - 1,
        });
      const left = outcome === 'appended' ? [...before, ...added] : before;
      expect(await streamIds(store, stream)).toEqual(idsOf(left));
    });

    test('of concurrent appends each sees those before it, and fails alone', async () => {
      const store = await fresh();
      const stream = newStream();
      const other = newStream();
      const [first, second, third, fourth] = [event(), event(), event(), event()];
      const outcomes = await Promise.allSettled([
        store.append(stream, 'no_stream', [first]),
        store.append(stream, 'no_stream', [second]),
        store.append(other, 'stream_exists', [third]),
        store.append(other, 'no_stream', [fourth]),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual([
        'fulfilled',
        'rejected',
        'rejected',
        'fulfilled',
      ]);
      expect(await streamIds(store, stream)).toEqual([first.id]);
      expect(await streamIds(store, other)).toEqual([fourth.id]);
    });

    test('of 64 writers with the same expected revision exactly one succeeds in each round', async () => {
      const clients = [await fresh(), await another()];
      const stream = newStream();
      let expected: ExpectedRevision = 'no_stream';
      const winners: string[] = [];
      for (let round = 0; round < 10; round += 1) {
        const rivals = events(64);
        const at: ExpectedRevision = expected;
        const outcomes = await Promise.allSettled(
          rivals.map((rival, index) => clients[index % 2]!.append(stream, at, [rival])),
        );
        const won = rivals.filter((_, index) => outcomes[index]!.status === 'fulfilled');
        expect(won).toHaveLength(1);
        winners.push(won[0]!.id);
        expected = round;
      }
      expect(await streamIds(clients[0]!, stream)).toEqual(winners);
    });

    test('larger than the maximum in bytes is rejected as a whole', async () => {
      const store = await fresh();
      const stream = newStream();
      const bytes = (count: number) => event({ text: '記'.repeat(count / 3) });
      const largest = bytes(MAX_APPEND_BYTES - 1_000);
      await store.append(stream, 'no_stream', [largest]);
      for (const larger of [[bytes(MAX_APPEND_BYTES)], Array.from({ length: 3 }, () => bytes(400_000))])
        await expect(store.append(stream, 0, larger)).rejects.toThrow(AppendTooLarge);
      expect(await streamIds(store, stream)).toEqual([largest.id]);
      await expect(store.append(stream, 0, [event()])).resolves.toMatchObject({ revision: 1 });
    });

    test('is durable for the next client', async () => {
      const store = await fresh();
      const stream = newStream();
      const added = events(5);
      const { revision } = await store.append(stream, 'no_stream', added);
      await store.close();
      const next = await another();
      expect(await streamIds(next, stream)).toEqual(idsOf(added));
      await expect(next.append(stream, revision, [event()])).resolves.toMatchObject({ revision: 5 });
    });
  });
}
