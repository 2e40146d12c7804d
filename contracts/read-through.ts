import type { z } from 'zod';
import type { Clients, ObservationSource } from './observation';

/**
 * Something that is read from outside and needs no history: it is cached in memory and goes neither on the log nor into
 * documents.
 */
export interface ReadThrough<Subject = unknown, Data = unknown> {
  /** Such as `catalog.banners`. */
  readonly name: string;
  /** What a subject is cached under. */
  key(subject: Subject): string;
  /** What is read is checked by it. */
  readonly schema: z.ZodType<Data>;
  /** Shares the limits of observations of the same source. */
  readonly source: ObservationSource<NoInfer<Subject>>;
  /** Older than this it is refreshed behind the read that finds it. */
  readonly ttlMs: number;
  /** Subjects that are cached; the ones not read for longest are dropped. */
  readonly maxEntries: number;
  read(clients: Clients, subject: Subject, signal: AbortSignal): Promise<Data>;
}

export function defineReadThrough<Subject, Data>(
  definition: ReadThrough<Subject, Data>,
): ReadThrough<Subject, Data> {
  return definition;
}

export interface CachedValue<Data> {
  readonly data: Data;
  /** RFC 3339 instant of the read. */
  readonly at: string;
}

/**
 * Reads a subject: from the cache, the last known value while the source fails, or from the source.
 * @throws Problem 503 `not_ready` when nothing is known and the source did not answer in time
 */
export type ReadThroughReader<Subject, Data> = (subject: Subject) => Promise<CachedValue<Data>>;
