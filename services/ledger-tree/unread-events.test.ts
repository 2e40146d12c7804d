import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import type { Documents } from '../../contracts/ports/documents';
import type { EventBatch, EventStore } from '../../contracts/ports/event-store';
import type { Position } from '../../contracts/position';
import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';
import { openSqliteEventStore } from '../../infra/engines/event-store/sqlite/sqlite-event-store';
import { verifyStore } from '../../infra/verifier/verify-store';
import { temporaryFolder } from '../../test/temporary-folder';
import { until } from '../../test/until';
import { runLedgerTreeBuilder } from './builder';
import { createCheckpoints } from './checkpoints';
import { makeLedgerKeys, openLedgerKeys, type LedgerKeys } from './keys';
import { createLedgerTreeReader } from './reader';
import { findUnreadEvent } from './unread-events';
import { watchUnreadEvents } from './watch-unread-events';

let folder: string;
let store: EventStore;
let documents: Documents;
let keys: LedgerKeys;
let end: AbortController;

beforeEach(async () => {
  folder = temporaryFolder();
  store = openSqliteEventStore({ path: join(folder, 'events.sqlite') });
  documents = openSqliteDocuments({ path: join(folder, 'documents.sqlite') });
  await makeLedgerKeys(join(folder, 'ledger.json'));
  keys = openLedgerKeys(join(folder, 'ledger.json'));
  end = new AbortController();
});
afterEach(async () => {
  end.abort();
  await Promise.all([store.close(), documents.close()]);
});

const record = async (stream: string): Promise<Position> => {
  const event = { id: randomUUID(), type: 'FeeRecorded', data: {}, metadata: {} };
  return (await store.append(stream, 'any', [event])).position;
};

/** Builds the tree from a subscription that passes over the positions. */
const buildTree = async (passedOver: readonly Position[]): Promise<void> => {
  const incomplete: Pick<EventStore, 'subscribe'> = {
    async *subscribe(options) {
      for await (const { events, position } of store.subscribe(options))
        yield { events: events.filter(event => !passedOver.includes(event.position)), position };
    },
  };
  const reader = createLedgerTreeReader(documents);
  const ended = new AbortController();
  const { done } = runLedgerTreeBuilder(
    {
      store: incomplete,
      documents,
      reader,
      logger: pino({ level: 'silent' }),
      now: () => new Date(),
      checkpoints: createCheckpoints({ store, instanceId: 'local', keys }),
      checkpointEvery: { events: 1_000_000, milliseconds: 1e12 },
    },
    ended.signal,
  );
  const head = await store.head();
  await until(async () => (await reader.includedUpTo()) >= head);
  ended.abort();
  await done;
};

const find = (): Promise<Position | null> =>
  findUnreadEvent({ store, documents, reader: createLedgerTreeReader(documents) }, end.signal);

const verify = () =>
  verifyStore({
    store,
    tree: {
      reader: createLedgerTreeReader(documents),
      checkpoints: createCheckpoints({ store, instanceId: 'local', keys }),
      keys,
    },
    checkpoints: [],
    signal: end.signal,
  });

test('nothing is kept of the looks at a store where nothing happens', async () => {
  const next = new Promise<IteratorResult<EventBatch>>(resolve => {
    end.signal.addEventListener('abort', () => resolve({ done: true, value: undefined }));
  });
  const then = jest.spyOn(next, 'then');
  const idle = { subscribe: () => ({ [Symbol.asyncIterator]: () => ({ next: () => next }) }) };
  const { done } = runLedgerTreeBuilder(
    {
      store: idle,
      documents,
      reader: createLedgerTreeReader(documents),
      now: () => new Date(),
      checkpoints: createCheckpoints({ store, instanceId: 'local', keys }),
      checkpointEvery: { events: 1, milliseconds: 1 },
      logger: pino({ level: 'silent' }),
    },
    end.signal,
  );
  await setTimeout(2_500);
  expect(then.mock.calls.length).toBeLessThan(2);
  end.abort();
  await done;
});

test('a tree of all events lacks none, and each is counted once', async () => {
  for (let n = 0; n < 300; n++) await record(n % 3 === 0 ? `watch-${n}` : `fee-${n}`);
  await buildTree([]);
  expect(await find()).toBeNull();
  const last = await record('fee-last');
  await buildTree([]);
  const reads = jest.spyOn(store, 'readAll');
  expect(await find()).toBeNull();
  expect(reads.mock.calls.map(([options]) => options!.after! > last - 3)).toEqual([true]);
});

test.each([
  ['the first', 0],
  ['one in the middle', 150],
  ['the last', 299],
])(
  '%s that the subscription passed over is found, at each start, and named by a verification',
  async (_, n) => {
    const positions: Position[] = [];
    for (let each = 0; each < 300; each++) positions.push(await record(`fee-${each}`));
    // Of another category, so that the tree includes the position of the last.
    await record('watch-a');
    await buildTree([positions[n]!]);
    expect(await find()).toBe(positions[n]);
    expect(await find()).toBe(positions[n]);
    await expect(verify()).rejects.toMatchObject({
      outcome: 'altered',
      message: expect.stringContaining('an event was not read') as unknown,
      location: { position: positions[n] },
    });
  },
);

test('one is found after a comparison that found none, and reported', async () => {
  await record('fee-a');
  await buildTree([]);
  expect(await find()).toBeNull();
  const position = await record('fee-b');
  await record('fee-c');
  await buildTree([position]);
  const errors: string[] = [];
  const logger = { error: (_: object, text: string) => void errors.push(text), warn: () => undefined };
  const watch = watchUnreadEvents(
    { store, documents, reader: createLedgerTreeReader(documents) },
    logger as never,
    end.signal,
  );
  await watch.done;
  expect(watch.found()).toContain(`position ${position} was not read`);
  expect(errors).toHaveLength(1);
});
