import type { JsonObject } from '../json';
import type { Position } from '../position';

/** What a writer hands in. The id is the idempotency key: a retry must carry the same one (a UUID). */
export interface NewEvent {
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata?: JsonObject;
}

/** What the store keeps. `revision` counts from 0 within the stream; `created` is RFC 3339 UTC with milliseconds. */
export interface RecordedEvent extends Required<NewEvent> {
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  readonly created: string;
}

/** A revision is the one of the last event the writer has seen. */
export type ExpectedRevision = number | 'no_stream' | 'stream_exists' | 'any';

export interface Appended {
  /** Revision and position of the last event of the append. */
  readonly revision: number;
  readonly position: Position;
}

export interface ReadStreamOptions {
  readonly direction?: 'forwards' | 'backwards';
  /** First revision to read, inclusive; default: the first event, or the last one when reading backwards. */
  readonly from?: number;
  /** Most events to read; default: all. */
  readonly limit?: number;
}

export interface ReadAllOptions {
  /** Only positions beyond this one (below it, when reading backwards). */
  readonly after?: Position;
  readonly direction?: 'forwards' | 'backwards';
  /** Only streams of these categories; a category is the part of the stream name before its first `-`. */
  readonly categories?: readonly string[];
  readonly limit?: number;
}

export interface SubscribeOptions {
  readonly after: Position;
  readonly categories?: readonly string[];
  /** Most events in one batch; default 1,000. */
  readonly batchSize?: number;
  /** Ends the iteration, without an error. */
  readonly signal: AbortSignal;
}

/** `position` is how far the subscriber has seen, also when the filter left nothing: what to store as checkpoint. */
export interface EventBatch {
  readonly events: readonly RecordedEvent[];
  readonly position: Position;
}

/** Semantics are those of EventStoreDB; `test/contracts/event-store.ts` is their definition. */
export interface EventStore {
  /**
   * Appends all events or none. Resolves once they are durable.
   * Repeating an append whose events (by id) are already where they would go changes nothing and answers alike.
   * @throws WrongExpectedRevision, AppendTooLarge
   */
  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Appended>;
  /** Pages through one stream in revision order. A stream that does not exist has no events. */
  readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<RecordedEvent>;
  /** Pages through the global order in batches. Ends where the store ended when the read got there. */
  readAll(options?: ReadAllOptions): AsyncIterable<readonly RecordedEvent[]>;
  /** Catches up, then follows live, with neither gap nor duplicate. Pulls: a slow consumer buffers nothing. */
  subscribe(options: SubscribeOptions): AsyncIterable<EventBatch>;
  /** Position of the last event recorded, BEGINNING when there is none. */
  head(): Promise<Position>;
  close(): Promise<void>;
}

export class WrongExpectedRevision extends Error {
  override readonly name = 'WrongExpectedRevision';
  constructor(
    readonly stream: string,
    readonly expected: ExpectedRevision,
    /** Revision of the last event there, or null when there is no such stream. */
    readonly actual: number | null,
  ) {
    super(`stream ${stream}: expected ${expected}, found ${actual ?? 'no stream'}`);
  }
}

/** One append holds at most so many bytes of data and metadata; servers of EventStoreDB may be set otherwise. */
export const APPEND_BYTES = 1024 * 1024;

export class AppendTooLarge extends Error {
  override readonly name = 'AppendTooLarge';
  constructor(readonly stream: string) {
    super(`stream ${stream}: an append larger than the event store takes`);
  }
}
