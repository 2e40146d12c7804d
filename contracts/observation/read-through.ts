import type { z } from 'zod';
import type { Clients, ObservationSource } from './observation';

/**
 * A value read from an external system that needs no history: it is cached in memory, and neither published to the log
 * nor stored in documents.
 */
export interface ReadThrough<Subject = unknown, Data = unknown> {
  /** Such as `catalog.banners`. */
  readonly name: string;
  /** The cache key of a subject. */
  key(subject: Subject): string;
  /** Validates what was read. */
  readonly schema: z.ZodType<Data>;
  /** Shares the limits of observations of the same source. */
  readonly source: ObservationSource<NoInfer<Subject>>;
  /** By the time at which its read began. */
  readonly ttlMs: number;
  /**
   * Whether an older value is served: `true` at once, while it is refreshed in the background; `on-failure` only where the
   * source fails or does not answer in time. Default: true.
   */
  readonly servesStale?: boolean | 'on-failure';
  /** Maximum number of cached subjects; the least recently used are evicted. */
  readonly maxEntries: number;
  read(clients: Clients, subject: Subject, signal: AbortSignal): Promise<Data>;
}

/** Declares a value that is read through a cache; infers the types of its subject and data. */
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
 * @throws Problem 503 `not_ready` when nothing is known and the source did not answer in time; 404 `network_off`
 */
export type ReadThroughReader<Subject, Data> = (subject: Subject) => Promise<CachedValue<Data>>;
