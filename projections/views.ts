import type { Document, Page, Query, Scalar, Source } from '../contracts/ports/documents';

/** Identifies a result that is computed from documents. */
export interface CachedQuery {
  /** The name of the query, then everything the result depends on beside documents: equal keys mean equal results. */
  readonly key: readonly unknown[];
  /** Every collection that is read, or the part of it that contains all that is read. */
  readonly sources: readonly Source[];
}

/**
 * How queries reach documents: by the collection name of the projection's spec, whatever generation is live.
 * Queries never see `Documents` itself, so a rebuild can switch generations under them.
 */
export interface Views {
  get<D extends Document>(collection: string, id: string): Promise<D | null>;
  getMany<D extends Document>(collection: string, ids: readonly string[]): Promise<Map<string, D>>;
  find<D extends Document>(collection: string, query: Query): Promise<Page<D>>;
  scan<D extends Document>(collection: string, query: Query): AsyncIterable<readonly D[]>;
  count(collection: string, equals?: Readonly<Record<string, Scalar>>): Promise<number>;
  /**
   * The result as computed before, the same frozen object, while none of its sources has changed; otherwise it is
   * computed. It must not depend on the clock or the caller, and computing it must have no effect.
   * @param isCacheable false for a result that may differ next time although no document has changed
   */
  cached<T>(query: CachedQuery, compute: () => Promise<T>, isCacheable?: (result: T) => boolean): Promise<T>;
  /** As `Documents.changed`, for the live generation. */
  changed(collections: readonly string[], timeoutMs: number): Promise<void>;
  /**
   * Waits until the event projection that owns the collection has folded the position. False when it has not after
   * `timeoutMs`.
   */
  reached(collection: string, position: number, timeoutMs: number): Promise<boolean>;
}
