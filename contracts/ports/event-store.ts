import type { JsonObject } from '../json/json';
import type { Position } from '../position';

/** An event to append. The id, a UUID, is the idempotency key: a retry must use the same one. */
export interface NewEvent {
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata?: JsonObject;
}

/** An event in the store. `revision` counts from 0 within the stream; `created` is RFC 3339 UTC with milliseconds. */
export interface RecordedEvent extends Required<NewEvent> {
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  readonly created: string;
}

/** A number is the revision of the last event that the writer has read. */
export type ExpectedRevision = number | 'no_stream' | 'stream_exists' | 'any';

export interface AppendResult {
  /** Revision and position of the last event of the append. */
  readonly revision: number;
  readonly position: Position;
}

export interface ReadStreamOptions {
  readonly direction?: 'forwards' | 'backwards';
  /** First revision to read, inclusive; default: the first event, or the last one when reading backwards. */
  readonly from?: number;
  /** Maximum number of events; default: all. */
  readonly limit?: number;
}

export interface ReadAllOptions {
  /** Only positions after this one (before it, when reading backwards). */
  readonly after?: Position;
  readonly direction?: 'forwards' | 'backwards';
  /** Only streams of these categories; a category is the part of the stream name before its first `-`. */
  readonly categories?: readonly string[];
  readonly limit?: number;
}

export const DEFAULT_BATCH_SIZE = 1_000;

export interface SubscribeOptions {
  readonly after: Position;
  readonly categories?: readonly string[];
  /** Maximum number of events in one batch; default: `DEFAULT_BATCH_SIZE`. */
  readonly batchSize?: number;
  /** Ends the iteration, without an error. */
  readonly signal: AbortSignal;
  /** Called each time before it goes on where it was after an interruption, in which nothing is lost. */
  readonly onInterrupted?: (reason: SubscriptionInterruption) => void;
}

/** `slow_consumer`: the store gave up delivering live events, because they were not taken as fast as they came. */
export type SubscriptionInterruption = 'slow_consumer' | 'unavailable';

/** `position` is the checkpoint to store; it also moves past events that the filter leaves out. */
export interface EventBatch {
  readonly events: readonly RecordedEvent[];
  readonly position: Position;
}

/** Semantics are those of EventStoreDB, as defined by `test/contracts/event-store.ts`. */
export interface EventStore {
  /**
   * Appends all events or none. Resolves once they are durable.
   * Repeating an append whose events (by id) are already in place changes nothing and returns the same result.
   * @throws WrongExpectedRevision, AppendTooLarge, EngineUnavailable, EngineAccessDenied
   */
  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult>;
  /**
   * Deletes the events of a stream up to a revision, inclusive; those after it stay, and keep their revisions. `readStream` has
   * none of them any more, the global order may have them for some time. A stream without events is one that does not
   * exist: it may begin again, at revision 0 or after the last that it has had. The last event of the store may stay until
   * another has followed.
   * @throws EngineUnavailable, EngineAccessDenied
   */
  deleteUpTo(stream: string, revision: number): Promise<void>;
  /**
   * Reads one stream in revision order, in pages: every event whose append was acknowledged before, by whichever node of a
   * cluster, so that a decision is made on the current state. A stream that does not exist has no events.
   */
  readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<RecordedEvent>;
  /** Reads the global order in batches, up to the current end of the store. */
  readAll(options?: ReadAllOptions): AsyncIterable<readonly RecordedEvent[]>;
  /** Catches up, then delivers new events, without gaps or duplicates. Pulls: nothing is buffered for a slow consumer. */
  subscribe(options: SubscribeOptions): AsyncIterable<EventBatch>;
  /** Position of the last event, BEGINNING when there is none. */
  head(): Promise<Position>;
  /** Includes all appends, as `readStream` does. Every checkpoint of a subscription is at or before it: the head, or a later record that is no event of this port. */
  end(): Promise<Position>;
  close(): Promise<void>;
}

export class WrongExpectedRevision extends Error {
  override readonly name = 'WrongExpectedRevision';
  constructor(
    readonly stream: string,
    readonly expected: ExpectedRevision,
    /** Revision of the last event of the stream; null when the stream does not exist. */
    readonly actual: number | null,
  ) {
    super(`stream ${stream}: expected ${expected}, found ${actual ?? 'no stream'}`);
  }
}

/** Of the data and metadata of one append; EventStoreDB may be configured otherwise. */
export const MAX_APPEND_BYTES = 1024 * 1024;

export class AppendTooLarge extends Error {
  override readonly name = 'AppendTooLarge';
  constructor(readonly stream: string) {
    super(`stream ${stream}: the append is too large`);
  }
}
