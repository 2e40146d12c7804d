import { randomUUID } from 'node:crypto';
import { EngineUnavailable } from '../../contracts/engine/engine-unavailable';
import { BEGINNING, type Position } from '../../contracts/position';
import type { EventStore, ExpectedRevision, NewEvent } from '../../contracts/ports/event-store';
import { until } from '../until';

export function newCategory(): string {
  return `t${randomUUID().replaceAll('-', '')}`;
}

export function newEvents(count: number, text = ''): NewEvent[] {
  return Array.from({ length: count }, (_, n) => ({ id: randomUUID(), type: 'tick', data: { n, text } }));
}

/** Retries an append until it is acknowledged. Counts the retries. */
export async function appendUntilAcknowledged(
  store: EventStore,
  stream: string,
  expected: ExpectedRevision,
  events: readonly NewEvent[],
  counts: { retries: number },
): Promise<number> {
  for (;;) {
    try {
      return (await store.append(stream, expected, events)).revision;
    } catch (error) {
      if (!(error instanceof EngineUnavailable)) throw error;
      counts.retries += 1;
      await new Promise(resolve => setTimeout(resolve, 20));
    }
  }
}

export interface Writer {
  readonly stream: string;
  /** Ids of the events that were acknowledged, in order. */
  readonly acknowledged: string[];
}

export interface Writers {
  readonly writers: readonly Writer[];
  readonly counts: { retries: number };
  acknowledged(): number;
  /** Resolves when all pending appends are acknowledged. */
  stop(): Promise<void>;
}

/** Writers with a stream each, which append three events at a time without pauses. */
export function startWriters(store: EventStore, category: string, count: number): Writers {
  const counts = { retries: 0 };
  let isStopping = false;
  const writers = Array.from({ length: count }, (_, n) => ({
    stream: `${category}-${n}`,
    acknowledged: [] as string[],
  }));
  const write = async ({ stream, acknowledged }: Writer): Promise<void> => {
    for (let last: number | 'no_stream' = 'no_stream'; !isStopping;) {
      const events = newEvents(3);
      last = await appendUntilAcknowledged(store, stream, last, events, counts);
      acknowledged.push(...events.map(({ id }) => id));
    }
  };
  const written = Promise.all(writers.map(write));
  written.catch(() => undefined);
  return {
    writers,
    counts,
    acknowledged: () => writers.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0),
    stop: async () => {
      isStopping = true;
      await written;
    },
  };
}

export interface Subscriber {
  readonly ids: string[];
  readonly batches: () => number;
  /** Of the last batch. */
  readonly position: () => Position;
  stop(): Promise<void>;
}

/** Subscribes to a category from the beginning and records all events. */
export function startSubscriber(store: EventStore, category: string): Subscriber {
  const end = new AbortController();
  const ids: string[] = [];
  let batches = 0;
  let position = BEGINNING;
  const receive = async (): Promise<void> => {
    const options = { after: BEGINNING, categories: [category], signal: end.signal };
    for await (const batch of store.subscribe(options)) {
      if (batch.position <= position) throw new Error('the position of a batch did not grow');
      position = batch.position;
      ids.push(...batch.events.map(({ id }) => id));
      batches += 1;
    }
  };
  const received = receive();
  received.catch(() => undefined);
  return {
    ids,
    batches: () => batches,
    position: () => position,
    stop: async () => {
      end.abort();
      await received;
    },
  };
}

/** Ends the traffic of a category: each event that was acknowledged was stored once, and delivered once in the order of the store. */
export async function expectAllOnce(
  store: EventStore,
  category: string,
  writers: Writers,
  subscriber: Subscriber,
): Promise<void> {
  await writers.stop();
  for (const { stream, acknowledged } of writers.writers)
    expect(await idsOfStream(store, stream)).toEqual(acknowledged);
  const ids = await idsOfCategory(store, category);
  expect(ids).toHaveLength(writers.acknowledged());
  await until(() => subscriber.ids.length >= ids.length);
  expect(subscriber.ids).toEqual(ids);
  await subscriber.stop();
}

export async function idsOfCategory(store: EventStore, category: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const batch of store.readAll({ categories: [category] })) ids.push(...batch.map(({ id }) => id));
  return ids;
}

export async function idsOfStream(store: EventStore, stream: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of store.readStream(stream)) ids.push(id);
  return ids;
}
