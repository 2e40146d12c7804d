import type { JsonObject } from '../../contracts/json/json';
import {
  type AppendResult,
  type EventBatch,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  type ReadAllOptions,
  type ReadStreamOptions,
  type RecordedEvent,
  type SubscribeOptions,
  WrongExpectedRevision,
} from '../../contracts/ports/event-store';
import { BEGINNING } from '../../contracts/position';
import { acceptAppend } from '../../infra/engines/event-store/validate-append';
import { Waiters } from './waiters';

const PAGE = 1_000;

/** What several clients share. */
export class StoredEvents {
  /** In the global order. */
  readonly all: RecordedEvent[] = [];
  readonly byStream = new Map<string, RecordedEvent[]>();
  readonly waiters = new Waiters();

  /** Records events as they are: with the position, revision and time of the test's choosing. */
  record(...events: readonly RecordedEvent[]): void {
    for (const event of events) {
      this.all.push(event);
      const stream = this.byStream.get(event.stream);
      if (stream) stream.push(event);
      else this.byStream.set(event.stream, [event]);
    }
    this.waiters.wake();
  }

  /** As operators and retention do: positions have no event where those were. */
  remove(isRemoved: (event: RecordedEvent) => boolean): void {
    const all = this.all.filter(event => !isRemoved(event));
    this.all.splice(0, this.all.length, ...all);
    for (const [stream, events] of this.byStream) {
      const left = events.filter(event => !isRemoved(event));
      if (left.length > 0) this.byStream.set(stream, left);
      else this.byStream.delete(stream);
    }
  }

  /** The index of the first event after a position. */
  indexAfter(position: number): number {
    let [low, high] = [0, this.all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.all[middle]!.position > position) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** An event store in memory. The n-th event was created n milliseconds after 1970. */
export class InMemoryEventStore implements EventStore {
  private readonly closing = new AbortController();

  constructor(readonly stored = new StoredEvents()) {}

  async append(
    stream: string,
    expected: ExpectedRevision,
    added: readonly NewEvent[],
  ): Promise<AppendResult> {
    const append = acceptAppend(stream, expected, added);
    const present = this.stored.byStream.get(stream) ?? [];
    const actual = present.at(-1)?.revision ?? null;
    const repeated = repeatOf(present, expected, added);
    if (repeated) return appendedAt(repeated);
    if (!isMet(expected, actual) || present.some(({ id }) => id === added[0]!.id))
      throw new WrongExpectedRevision(stream, expected, actual);
    const position = (this.stored.all.at(-1)?.position ?? BEGINNING) + 1;
    const recorded = append.events.map(({ id, type, data, metadata }, n): RecordedEvent => ({
      id,
      type,
      data: JSON.parse(data) as JsonObject,
      metadata: JSON.parse(metadata) as JsonObject,
      stream,
      revision: (actual ?? -1) + 1 + n,
      position: position + n,
      created: new Date(position + n).toISOString(),
    }));
    this.stored.record(...recorded);
    return appendedAt(recorded.at(-1)!);
  }

  async deleteUpTo(stream: string, revision: number): Promise<void> {
    const isDeleted = (event: RecordedEvent): boolean =>
      event.stream === stream && event.revision <= revision && event !== this.stored.all.at(-1);
    this.stored.remove(isDeleted);
  }

  async *readStream(
    stream: string,
    { direction = 'forwards', from, limit = Infinity }: ReadStreamOptions = {},
  ): AsyncIterable<RecordedEvent> {
    const events = [...(this.stored.byStream.get(stream) ?? [])];
    const [first, last] = direction === 'forwards' ? [from ?? 0, Infinity] : [0, from ?? Infinity];
    const selected = events.filter(({ revision }) => revision >= first && revision <= last);
    if (direction === 'backwards') selected.reverse();
    yield* selected.slice(0, limit);
  }

  async *readAll({
    after,
    direction = 'forwards',
    categories,
    limit = Infinity,
  }: ReadAllOptions = {}): AsyncIterable<readonly RecordedEvent[]> {
    const { all } = this.stored;
    const range =
      direction === 'forwards'
        ? all.slice(this.stored.indexAfter(after ?? BEGINNING))
        : all.slice(0, this.stored.indexAfter((after ?? Infinity) - 1)).reverse();
    const selected = range.filter(isIn(categories)).slice(0, limit);
    for (let from = 0; from < selected.length; from += PAGE) yield selected.slice(from, from + PAGE);
  }

  async *subscribe({
    after,
    categories,
    batchSize = PAGE,
    signal,
  }: SubscribeOptions): AsyncIterable<EventBatch> {
    const ended = AbortSignal.any([signal, this.closing.signal]);
    for (let position = after; !ended.aborted;) {
      const start = this.stored.indexAfter(position);
      const next = this.stored.all.slice(start, start + batchSize);
      if (next.length === 0) await this.stored.waiters.wait(ended);
      else {
        position = next.at(-1)!.position;
        yield { events: next.filter(isIn(categories)), position };
      }
    }
  }

  async head(): Promise<number> {
    return this.stored.all.at(-1)?.position ?? BEGINNING;
  }

  end(): Promise<number> {
    return this.head();
  }

  async close(): Promise<void> {
    this.closing.abort();
  }
}

/** Events in a page of a `CountingEventStore`: few, so that short histories have several pages. */
const SMALL_PAGE = 7;

/**
 * Counts the events that are read. Like EventStoreDB, and unlike what the port requires, it cannot read from a position
 * at which there is no event.
 */
export class CountingEventStore extends InMemoryEventStore {
  /** Events read of the global order so far. */
  read = 0;

  override async *readAll(options: ReadAllOptions = {}): AsyncIterable<readonly RecordedEvent[]> {
    const { after = BEGINNING } = options;
    if (after !== BEGINNING && this.stored.all[this.stored.indexAfter(after) - 1]?.position !== after)
      throw new Error(`no event has position ${after}`);
    for await (const events of super.readAll(options))
      for (let from = 0; from < events.length; from += SMALL_PAGE) {
        const page = events.slice(from, from + SMALL_PAGE);
        this.read += page.length;
        yield page;
      }
  }
}

/** A history of such events. */
export function countingEventStore(events: readonly RecordedEvent[] = []): CountingEventStore {
  const stored = new StoredEvents();
  stored.record(...events);
  return new CountingEventStore(stored);
}

const appendedAt = ({ revision, position }: RecordedEvent): AppendResult => ({ revision, position });

const isIn =
  (categories: readonly string[] | undefined) =>
  ({ stream }: RecordedEvent): boolean =>
    categories?.includes(stream.split('-', 1)[0]!) ?? true;

const isMet = (expected: ExpectedRevision, actual: number | null): boolean => {
  if (expected === 'any') return true;
  if (expected === 'stream_exists') return actual !== null;
  return expected === 'no_stream' ? actual === null : actual === expected;
};

/** The last event of an identical earlier append. */
const repeatOf = (
  present: readonly RecordedEvent[],
  expected: ExpectedRevision,
  added: readonly NewEvent[],
): RecordedEvent | undefined => {
  const found = present.findIndex(({ id }) => id === added[0]!.id);
  const start = typeof expected === 'number' ? expected + 1 : expected === 'no_stream' ? 0 : found;
  if (start < 0 || !added.every(({ id }, n) => present[start + n]?.id === id)) return undefined;
  return present[start + added.length - 1];
};
