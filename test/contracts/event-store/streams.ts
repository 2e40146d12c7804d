import type { ReadStreamOptions } from '../../../contracts/ports/event-store';
import { collect, events, idsOf, newStream, type EventStoreHarness } from './fixtures';

export function describeStreams({ fresh }: EventStoreHarness): void {
  describe('readStream', () => {
    test.each<[ReadStreamOptions | undefined, number[]]>([
      [undefined, [0, 1, 2, 3, 4]],
      [{ from: 2 }, [2, 3, 4]],
      [{ from: 1, limit: 2 }, [1, 2]],
      [{ limit: 0 }, []],
      [{ from: 5 }, []],
      [{ direction: 'backwards' }, [4, 3, 2, 1, 0]],
      [{ direction: 'backwards', from: 2 }, [2, 1, 0]],
      [{ direction: 'backwards', limit: 1 }, [4]],
      [{ direction: 'backwards', from: 3, limit: 2 }, [3, 2]],
    ])('%j of five events reads %j', async (options, revisions) => {
      const store = await fresh();
      const stream = newStream();
      await store.append(stream, 'no_stream', events(5));
      await store.append(newStream(), 'no_stream', events(5));
      const read = await collect(store.readStream(stream, options));
      expect(read.map(({ revision }) => revision)).toEqual(revisions);
      expect(read.map(({ data }) => data['n'])).toEqual(revisions);
      expect(read.every(recorded => recorded.stream === stream)).toBe(true);
    });

    test('a stream that does not exist is empty', async () => {
      const store = await fresh();
      expect(await collect(store.readStream(newStream()))).toEqual([]);
      expect(await collect(store.readStream(newStream(), { direction: 'backwards' }))).toEqual([]);
    });

    test('a long stream is read in pages in both directions, and reading may stop at any point', async () => {
      const store = await fresh();
      const stream = newStream();
      const list = events(2_600);
      await store.append(stream, 'no_stream', list.slice(0, 1_300));
      await store.append(stream, 1_299, list.slice(1_300));
      expect(idsOf(await collect(store.readStream(stream)))).toEqual(idsOf(list));
      const back = await collect(store.readStream(stream, { direction: 'backwards' }));
      expect(idsOf(back.reverse())).toEqual(idsOf(list));
      expect(await collect(store.readStream(stream, { from: 100, limit: 1_234 }))).toHaveLength(1_234);
      let seen = 0;
      for await (const { revision } of store.readStream(stream)) {
        expect(revision).toBe(seen);
        if ((seen += 1) === 1_100) break;
      }
      expect(seen).toBe(1_100);
    });

    test('a read that was stopped shortly before its end does not keep the store open', async () => {
      const store = await fresh();
      const stream = newStream();
      // A page of the adapters, and no more than gRPC has read ahead.
      await store.append(stream, 'no_stream', events(1_016));
      for await (const { revision } of store.readStream(stream)) {
        expect(revision).toBe(0);
        // Whatever the server sends for the first read has arrived before the end of this one.
        expect(await collect(store.readStream(stream))).toHaveLength(1_016);
        break;
      }
      await store.close();
    });
  });
}
