import type { Source } from '../ports/documents';
import type { Problem } from '../problem/problem';
import type { Reading } from './observation';

/** The newest observation of a subject. */
export interface Observed<Data> extends Reading<Data> {
  /** RFC 3339 instant of the read. */
  readonly at: string;
}

/** A subject, and its newest observation. */
export interface ObservedSubject<Subject, Data> {
  readonly subject: Subject;
  readonly observed: Observed<Data>;
}

/**
 * Reads an observation that is not recorded: from the cache, the last known value while the source fails, or from the source.
 */
export interface UnrecordedReader<Subject, Data> {
  /**
   * @param options with `minHeight`, what is cached of an earlier height is read again
   * @throws Problem 503 `not_ready` when nothing is known and the source did not answer in time, a ReadNotBegun where it was not even
   * asked; 404 `network_off`
   */
  read(subject: Subject, options?: ReadOptions & { readonly minHeight?: number }): Promise<Observed<Data>>;
}

export interface ReadOptions {
  /** Who reads (`addressKey`), for its share of what waits. Default: nobody in particular, who have one share together. */
  readonly caller?: string | undefined;
}

/** A value computed from an observation and other documents. */
export interface Derived<T> {
  /** Computes the value from the current documents; null when there are none. */
  find(): Promise<T | null>;
  /** True: it is served, and a new observation is requested in the background. */
  isStale(value: T): boolean;
  /** False: it is not served until a new observation has arrived, or the wait has ended. Default: always true. */
  isCurrent?(value: T): boolean;
}

export interface WaitOptions extends ReadOptions {
  /** Milliseconds to wait for an observation that is missing; default 2,500. */
  readonly waitMs?: number;
}

/**
 * How services read the observations of one kind. Of a network that is off nothing is found or requested, whatever is stored of the
 * time when it was not.
 */
export interface ObservedReader<Subject, Data> {
  /** The newest observation, null when there is none. Requests nothing. */
  find(subject: Subject): Promise<Observed<Data> | null>;
  /** As `find`, for several subjects, in their order. */
  findMany(subjects: readonly Subject[]): Promise<readonly (Observed<Data> | null)[]>;
  /**
   * The newest observations of the subjects of a part: those whose text begins with it and a `/`. In the order of their texts,
   * at most `limit`.
   */
  findPart(part: string, limit: number): Promise<readonly ObservedSubject<Subject, Data>[]>;
  /** The newest observations of all subjects, in the order of their texts, in pages of `limit` that are read as they are consumed. */
  scan(limit: number): AsyncIterable<readonly ObservedSubject<Subject, Data>[]>;
  /**
   * The newest observation. When it is stale, a new one is requested in the background; when it is missing, waits for it.
   * @throws Problem 503 when it did not arrive in time: `source_wrong_network`, or else `not_ready`; 404 `network_off` at once
   */
  read(subject: Subject, options?: WaitOptions): Promise<Observed<Data>>;
  /** As `read`, for a derived value. After the wait, returns what there is: null, or a value that is not current. */
  readDerived<T>(subject: Subject, derived: Derived<T>, options?: WaitOptions): Promise<T | null>;
  /** Requests a new observation; a failure is only logged. */
  request(subject: Subject, options?: ReadOptions): Promise<void>;
  /** What to answer when there is nothing: 404 `network_off`, 503 `source_wrong_network`, or else `not_ready`. @param what such as `The account` */
  notReady(subject: Subject, what: string): Problem;
  /** Whether an observation of that instant (RFC 3339) is stale. */
  isStale(at: string): boolean;
  /** The source of what `find` reads. */
  source(subject: Subject): Source;
  /** The collection of what `find` reads, for a source of many subjects. */
  readonly collection: string;
}

export interface BatchReadOptions {
  /** Reads at a time. */
  readonly maxConcurrent: number;
  /** From the beginning of a read to that of the next one. */
  readonly pauseMs: number;
  /** Reads that fail until the others are left. */
  readonly maxFailures: number;
  readonly signal: AbortSignal;
}

/** Reads subjects that nobody waits for, whatever was observed of them, and publishes what was read together. */
export interface BatchReader<Subject> {
  /** @returns those that were not read */
  readBatch(subjects: readonly Subject[], options: BatchReadOptions): Promise<readonly Subject[]>;
}
