import { randomUUID } from 'node:crypto';
import type { RecordedEvent } from '../../contracts/ports/event-store';
import { CrashingDocuments } from '../../test/doubles/documents';
import { InMemoryEventStore, StoredEvents } from '../../test/doubles/event-store';
import { storageEntryStream } from '../../contracts/events/storage-entry';
import { createHandle } from '../commands/handle';
import { storageEntryKind, type StorageEntry } from '../storage/decider';
import { STORAGE_VALUE_RETENTION } from '../storage/retention';
import { applyRetention } from './apply-retention';
import type { Retention } from './retention';

const DAYS = 30;
const RETENTION: Retention = {
  name: 'visit',
  of: 'visits',
  category: 'visit',
  days: DAYS,
  hasNoDocument: ({ type }) => type === 'Removed',
  async remove(_handle, { stream, revision, type }) {
    if (type !== 'Left') return false;
    await store.append(stream, revision, [{ id: randomUUID(), type: 'Removed', data: {} }]);
    return true;
  },
};

class FailingStore extends InMemoryEventStore {
  /** Calls that change something, until one fails. */
  callsLeft = Infinity;

  override async append(...given: Parameters<InMemoryEventStore['append']>) {
    this.fail();
    return super.append(...given);
  }
  override async deleteUpTo(...given: Parameters<InMemoryEventStore['deleteUpTo']>): Promise<void> {
    this.fail();
    return super.deleteUpTo(...given);
  }
  private fail(): void {
    if (this.callsLeft-- === 0) throw new Error('the process was killed');
  }
}

let stored: StoredEvents;
let store: FailingStore;
let documents: CrashingDocuments;
let folded: number;
beforeEach(() => {
  [stored, documents, folded] = [new StoredEvents(), new CrashingDocuments(), Infinity];
  store = new FailingStore(stored);
});

const record = async (...events: readonly (readonly [visitor: string, type: string])[]): Promise<void> => {
  for (const [visitor, type] of events)
    await store.append(`visit-${visitor}`, 'any', [{ id: randomUUID(), type, data: {} }]);
};
/**
 * @param days after 1970, when everything is recorded
 * @param events as many are so old; the n-th was recorded after n milliseconds
 */
const apply = (days: number, retention = RETENTION, events = 60_000): Promise<number> =>
  applyRetention(
    {
      store,
      documents,
      handle: createHandle({ store }),
      foldedByAll: async () => folded,
      clock: () => new Date(days * 86_400_000 + events),
    },
    retention,
    DAYS,
    new AbortController().signal,
  );
const left = (): string[] =>
  stored.all
    .filter(({ stream }: RecordedEvent) => stream.startsWith('visit-'))
    .map(({ stream, type }) => `${stream.slice(6)} ${type}`);
/** The last event of a store is never deleted. */
const follow = () => store.append('other-1', 'any', [{ id: randomUUID(), type: 'Happened', data: {} }]);

it('removes what has ended, and deletes it in its turn', async () => {
  await record(['ann', 'Came'], ['bob', 'Came'], ['ann', 'Left'], ['cid', 'Came'], ['cid', 'Left']);
  await follow();
  expect(await apply(DAYS - 1)).toBe(0);
  expect(left()).toHaveLength(5);
  expect(await apply(DAYS)).toBe(0);
  expect(left()).toEqual(['bob Came', 'ann Removed', 'cid Removed']);
  await follow();
  expect(await apply(DAYS)).toBe(2);
  expect(left()).toEqual(['bob Came']);
});

it('looks again at a stream that has gone on since', async () => {
  await record(['ann', 'Came']);
  await follow();
  await apply(DAYS);
  await record(['ann', 'Left']);
  await follow();
  await apply(DAYS);
  expect(left()).toEqual(['ann Removed']);
});

it('waits for projections that have not folded an event yet', async () => {
  await record(['ann', 'Came'], ['ann', 'Left']);
  await follow();
  folded = 0;
  await apply(DAYS);
  expect(left()).toEqual(['ann Came', 'ann Left']);
  folded = 1;
  await apply(DAYS);
  expect(left()).toEqual(['ann Removed']);
});

it('leaves the last event of the store until another has followed', async () => {
  await record(['ann', 'Removed']);
  expect(await apply(DAYS)).toBe(0);
  await follow();
  expect(await apply(DAYS)).toBe(1);
  expect(left()).toEqual([]);
});

it('leaves what is written in the moment in which it is to be removed', async () => {
  const key = 'ab'.repeat(32);
  const stream = storageEntryStream(key);
  const write = (value: string) =>
    createHandle({ store })(storageEntryKind, stream, {
      key,
      value,
      seq: null,
      signed: null,
      source: 'here',
      hasPlace: true,
      roomKibibytes: 4,
      metadata: { now: '2026-11-30T00:00:00.000Z', actor: 'wallet' },
    });
  await write('b2xk');
  await follow();
  await apply(DAYS, {
    ...STORAGE_VALUE_RETENTION,
    async remove(...given) {
      await write('bmV3');
      return STORAGE_VALUE_RETENTION.remove!(...given);
    },
  });
  const { state } = (await write('bmV3')) as { state: StorageEntry };
  expect(state).toMatchObject({ value: 'bmV3', seq: 3 });
});

it('passes over nothing where a server recorded events with a clock that was ahead', async () => {
  const event = (position: number, visitor: string, type: string, days: number): RecordedEvent => ({
    stream: `visit-${visitor}`,
    revision: 0,
    position,
    id: randomUUID(),
    type,
    data: {},
    metadata: {},
    created: new Date(days * 86_400_000).toISOString(),
  });
  stored.record(event(1, 'ann', 'Removed', 1), event(2, 'bob', 'Removed', 0));
  await follow();
  await apply(DAYS);
  await apply(DAYS + 1);
  expect(left()).toEqual([]);
});

it('does not search again where it has found nothing', async () => {
  const { position } = await follow();
  await apply(DAYS);
  const search = jest.spyOn(store, 'readAll');
  await record(['ann', 'Came'], ['ann', 'Left']);
  await follow();
  await apply(DAYS);
  expect(search).toHaveBeenCalledWith(expect.objectContaining({ after: position }));
  expect(left()).toEqual(['ann Removed']);
});

it('deletes earlier events where each holds the whole state, and keeps the last', async () => {
  const states: Retention = { ...RETENTION, hasNoDocument: () => false, lastEventIsState: true };
  await record(['ann', 'One'], ['bob', 'One'], ['ann', 'Two'], ['ann', 'Three']);
  await follow();
  await apply(DAYS, states);
  expect(left()).toEqual(['bob One', 'ann Three']);
});

it('deletes what was last when it was looked at, once another has followed so long ago', async () => {
  const states: Retention = { ...RETENTION, hasNoDocument: () => false, lastEventIsState: true };
  await record(['ann', 'One']);
  await follow();
  await apply(DAYS, states);
  await record(['ann', 'Two']);
  await follow();
  await apply(DAYS - 1, states);
  expect(left()).toEqual(['ann One', 'ann Two']);
  await apply(DAYS, states);
  expect(left()).toEqual(['ann Two']);
});

it('deletes what is before a last event that says all, and keeps that, also when the stream goes on', async () => {
  const ending: Retention = {
    name: 'visit',
    of: 'visits',
    category: 'visit',
    days: DAYS,
    hasNoDocument: () => false,
    saysAll: ({ type }) => type === 'Left',
  };
  await record(['ann', 'Came'], ['bob', 'Came'], ['bob', 'Stayed'], ['ann', 'Left']);
  await follow();
  await apply(DAYS, ending);
  expect(left()).toEqual(['bob Came', 'bob Stayed', 'ann Left']);
  await record(['ann', 'Came']);
  await follow();
  await apply(DAYS, ending);
  expect(left()).toEqual(['bob Came', 'bob Stayed', 'ann Left', 'ann Came']);
  await record(['ann', 'Left']);
  await follow();
  await apply(DAYS, ending);
  expect(left()).toEqual(['bob Came', 'bob Stayed', 'ann Left']);
});

it('does the rest when it was killed at any point', async () => {
  await record(['ann', 'Came'], ['ann', 'Left'], ['bob', 'Came'], ['bob', 'Left'], ['cid', 'Removed']);
  await follow();
  for (let calls = 0; ; calls += 1) {
    const copy = new StoredEvents();
    copy.record(...stored.all);
    const original = stored;
    [stored, store, documents] = [copy, new FailingStore(copy), new CrashingDocuments()];
    store.callsLeft = calls;
    const failed = await apply(DAYS, RETENTION, 5).then(
      () => false,
      () => true,
    );
    store.callsLeft = Infinity;
    await apply(DAYS, RETENTION, 5);
    expect([calls, left()]).toEqual([calls, ['ann Removed', 'bob Removed']]);
    stored = original;
    if (failed) continue;
    // Two events, and three deletions.
    expect(calls).toBe(5);
    return;
  }
});

it('can be done by two processes', async () => {
  await record(['ann', 'Came'], ['ann', 'Left'], ['bob', 'Came'], ['bob', 'Left']);
  await follow();
  for (const { status, reason } of (await Promise.allSettled([
    apply(DAYS, RETENTION, 4),
    apply(DAYS, RETENTION, 4),
  ])) as PromiseRejectedResult[])
    if (status === 'rejected')
      expect((reason as Error).name).toMatch(/CheckpointMoved|WrongExpectedRevision/);
  await apply(DAYS, RETENTION, 4);
  expect(left()).toEqual(['ann Removed', 'bob Removed']);
});
