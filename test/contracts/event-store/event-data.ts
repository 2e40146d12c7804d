import fc from 'fast-check';
import type { JsonObject } from '../../../contracts/json/json';
import { collect, event, newStream, type EventStoreHarness } from './fixtures';
import { runs } from '../../random';

const roundTrip = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;

export function describeEventData({ fresh }: EventStoreHarness): void {
  describe('an event', () => {
    test('is read with all its properties, its position and its time', async () => {
      const store = await fresh();
      const stream = newStream();
      const given = { ...event({ amount: '12.50' }, 'fee-recorded'), metadata: { actor: 'a' } };
      const { position } = await store.append(stream, 'no_stream', [given]);
      const [recorded] = await collect(store.readStream(stream));
      expect(recorded).toEqual({
        ...given,
        stream,
        revision: 0,
        position,
        created: expect.any(String) as string,
      });
      expect(recorded!.created).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(Number.isNaN(Date.parse(recorded!.created))).toBe(false);
    });

    test('without metadata has none', async () => {
      const store = await fresh();
      const stream = newStream();
      await store.append(stream, 'no_stream', [event()]);
      expect((await collect(store.readStream(stream)))[0]).toMatchObject({ data: {}, metadata: {} });
    });

    test('has exactly the same JSON when it is read', async () => {
      const store = await fresh();
      const objects = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' }));
      const property = fc.asyncProperty(objects, objects, async (data, metadata) => {
        const stream = newStream();
        const given = { ...event(roundTrip(data)), metadata: roundTrip(metadata) };
        await store.append(stream, 'no_stream', [given]);
        const [recorded] = await collect(store.readStream(stream));
        expect(JSON.stringify(recorded!.data)).toBe(JSON.stringify(given.data));
        expect(JSON.stringify(recorded!.metadata)).toBe(JSON.stringify(given.metadata));
      });
      await fc.assert(property, runs(20));
    });

    test('may be long, and of any script', async () => {
      const store = await fresh();
      const stream = `${newStream()}-Überweisung-запись-記録-🧾`;
      const data = { text: 'ä漢🙂\u0000\\"'.repeat(40_000) };
      await store.append(stream, 'no_stream', [event(data, 'größer als gedacht')]);
      await store.append(stream, 0, [event(data)]);
      const read = await collect(store.readStream(stream));
      expect(read.map(recorded => recorded.data)).toEqual([data, data]);
      expect(read[0]).toMatchObject({ stream, type: 'größer als gedacht' });
    });

    test('that cannot be stored is rejected, but concurrent appends succeed', async () => {
      const store = await fresh();
      const stream = newStream();
      const good = event();
      const bad = [
        store.append(stream, 'any', []),
        store.append('', 'any', [event()]),
        store.append(stream, -1, [event()]),
        store.append(stream, 0.5, [event()]),
        store.append(stream, 'any', [{ ...event(), id: 'not-a-uuid' }]),
        store.append(stream, 'any', [event({}, '')]),
        store.append(stream, 'any', [{ ...event(), data: [] as unknown as JsonObject }]),
        store.append(stream, 'any', [event({ n: 1n as unknown as number })]),
      ];
      const append = store.append(stream, 'no_stream', [good]);
      for (const rejected of bad) await expect(rejected).rejects.toThrow(TypeError);
      await expect(append).resolves.toMatchObject({ revision: 0 });
    });
  });
}
