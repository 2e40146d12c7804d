import type { Document, Page, Query, Scalar, Source } from '../contracts/ports/documents';
import type { Position } from '../contracts/position';
import type { ChangedParts } from '../contracts/ports/wake-ups';

/** Identifies a result that is computed from documents. */
export interface CachedQuery {
  /** The name of the query, then everything else than documents that the result depends on. */
  readonly key: readonly unknown[];
  /** Everything that is read: collections, or parts of them. */
  readonly sources: readonly Source[];
}

/**
 * Reads documents by the collection names of the projections' specs, in the live generation. Queries do not use
 * `Documents` directly, so that a rebuild can switch generations.
 */
export interface Views {
  /**
   * Resolves when the projections that own the collections can be read. Every read does it first, so that an answer never
   * lacks what is only not folded yet; a handler that waits or writes before it reads calls it itself.
   * @throws ProjectionBehind while one has not folded what its source held at the start; ProjectionStopped
   */
  expectReadable(collections: readonly string[]): Promise<void>;
  get<D extends Document>(collection: string, id: string): Promise<D | null>;
  getMany<D extends Document>(collection: string, ids: readonly string[]): Promise<Map<string, D>>;
  /** As `Documents.find`: what is found must not be changed. */
  find<D extends Document>(collection: string, query: Query): Promise<Page<D>>;
  scan<D extends Document>(collection: string, query: Query): AsyncIterable<readonly D[]>;
  count(collection: string, equals?: Readonly<Record<string, Scalar>>): Promise<number>;
  sum(collection: string, field: string, equals?: Readonly<Record<string, Scalar>>): Promise<number>;
  /**
   * The cached result, the same frozen object, while none of its sources has changed; otherwise it is computed. The result
   * must not depend on the clock, the caller or anything that was read before this call, since it is kept as what the sources say
   * at the call; and `compute` must have no side effects.
   * @param isCacheable false for a result that may differ next time although no document has changed
   */
  cached<T>(query: CachedQuery, compute: () => Promise<T>, isCacheable?: (result: T) => boolean): Promise<T>;
  /**
   * Resolves when one of the sources may have changed, after the time-out, or when the signal fires. What changes in other
   * parts of a collection wakes nobody, so that many may wait, each for an account of its own.
   */
  waitForChange(sources: readonly Source[], timeoutMs: number, signal?: AbortSignal): Promise<void>;
  /**
   * As `Documents.subscribe`, for the live generation. What a call notifies of can already be read; another generation that
   * is switched to may differ in everything.
   */
  subscribe(collection: string, onChange: (parts: ChangedParts) => void): () => void;
  /**
   * Waits until the event projection that owns the collection has folded the position. False when it has not after
   * `timeoutMs` or at the signal, and at once when nothing was recorded at the position, the projection has stopped, or too
   * many wait.
   */
  waitForPosition(
    collection: string,
    position: number,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<boolean>;
  /**
   * A position up to which the event projections that own the collections have folded everything; `BEGINNING` before. Up to a
   * second older than it could be while other events are recorded.
   */
  foldedUpTo(collections: readonly string[]): Promise<Position>;
  /**
   * Whether documents of the collections are of another version of their projection than this program has: until they are
   * rebuilt after an upgrade, and in a program that is not upgraded yet.
   */
  isOutdated(collections: readonly string[]): Promise<boolean>;
}
