import { BEGINNING } from '../../../contracts/position';
import type { EventBatch } from '../../../contracts/ports/event-store';
import { event, events, idsOf, newCategory, type EventStoreHarness } from './fixtures';

/** Takes batches until the condition holds for all of them. */
const takeUntil = async (
  batches: AsyncIterable<EventBatch>,
  enough: (taken: readonly EventBatch[]) => boolean,
): Promise<EventBatch[]> => {
  const taken: EventBatch[] = [];
  for await (const batch of batches) {
    taken.push(batch);
    if (enough(taken)) break;
  }
  return taken;
};

const idsOfBatches = (batches: readonly EventBatch[]): string[] =>
  batches.flatMap(batch => idsOf(batch.events));

export function describeSubscriptions({ fresh, another }: EventStoreHarness): void {
  describe('subscribe', () => {
    const ends: AbortController[] = [];
    const newSignal = (): AbortSignal => {
      const end = new AbortController();
      ends.push(end);
      return end.signal;
    };
    afterEach(() => ends.splice(0).forEach(end => end.abort()));

    test('catches up from the beginning, then follows', async () => {
      const store = await fresh();
      const category = newCategory();
      const [old, recent] = [events(3), events(2)];
      await store.append(`${category}-1`, 'no_stream', old);
      const subscription = store.subscribe({
        after: BEGINNING,
        categories: [category],
        signal: newSignal(),
      });
      const ids: string[] = [];
      for await (const batch of subscription) {
        ids.push(...idsOf(batch.events));
        if (ids.length === 3) void store.append(`${category}-2`, 'no_stream', recent);
        if (ids.length === 5) break;
      }
      expect(ids).toEqual(idsOf([...old, ...recent]));
    });

    test('starts after the given position', async () => {
      const store = await fresh();
      const category = newCategory();
      const list = events(4);
      const { position } = await store.append(`${category}-1`, 'no_stream', list.slice(0, 2));
      await store.append(`${category}-1`, 1, list.slice(2));
      const options = { after: position, categories: [category], signal: newSignal() };
      const batches = await takeUntil(store.subscribe(options), taken => idsOfBatches(taken).length >= 2);
      expect(idsOfBatches(batches)).toEqual(idsOf(list.slice(2)));
    });

    test('delivers the appends of another client', async () => {
      const [store, other] = [await fresh(), await another()];
      const category = newCategory();
      const first = event();
      const options = { after: await store.head(), categories: [category], signal: newSignal() };
      const received = takeUntil(store.subscribe(options), taken => idsOfBatches(taken).length === 1);
      await other.append(`${category}-1`, 'no_stream', [first]);
      expect(idsOfBatches(await received)).toEqual([first.id]);
    });

    test('advances its position when the filter leaves no events', async () => {
      const store = await fresh();
      const after = await store.head();
      const { position } = await store.append(`${newCategory()}-1`, 'no_stream', events(3));
      const options = { after, categories: [newCategory()], signal: newSignal() };
      const batches = await takeUntil(store.subscribe(options), taken => taken.at(-1)!.position >= position);
      expect(idsOfBatches(batches)).toEqual([]);
    });

    test('another subscription can continue from its position', async () => {
      const store = await fresh();
      const category = newCategory();
      const list = events(50);
      // Each subscription would read what other tests have appended.
      let after = await store.head();
      for (let n = 0; n < 50; n += 10)
        await store.append(`${category}-${n}`, 'no_stream', list.slice(n, n + 10));
      const ids: string[] = [];
      while (ids.length < 50) {
        const options = { after, categories: [category], batchSize: 7, signal: newSignal() };
        const [batch] = await takeUntil(store.subscribe(options), () => true);
        expect(batch!.position).toBeGreaterThan(after);
        expect(batch!.events.length).toBeLessThanOrEqual(7);
        ids.push(...idsOf(batch!.events));
        after = batch!.position;
      }
      expect(ids).toEqual(idsOf(list));
    });

    test('waits for a slow consumer and delivers nothing twice', async () => {
      const store = await fresh();
      const category = newCategory();
      const list = events(60);
      await store.append(`${category}-1`, 'no_stream', list.slice(0, 20));
      const options = { after: BEGINNING, categories: [category], batchSize: 5, signal: newSignal() };
      const ids: string[] = [];
      let appended = 20;
      for await (const batch of store.subscribe(options)) {
        expect(batch.events.length).toBeLessThanOrEqual(5);
        ids.push(...idsOf(batch.events));
        if (appended < 60) {
          await store.append(`${category}-1`, appended - 1, list.slice(appended, appended + 4));
          appended += 4;
        }
        if (ids.length === 60) break;
      }
      expect(ids).toEqual(idsOf(list));
    });

    test('ends without an error at the signal, idle or not', async () => {
      const store = await fresh();
      const end = new AbortController();
      const options = { after: await store.head(), categories: [newCategory()], signal: end.signal };
      const ended = takeUntil(store.subscribe(options), () => false);
      end.abort();
      await ended;
      expect(await takeUntil(store.subscribe({ ...options, after: BEGINNING }), () => false)).toEqual([]);
    });
  });
}
