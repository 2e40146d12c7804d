import type { Document, Page, Query, Scalar } from '../infra/documents/port';

/**
 * How queries reach documents: by the collection name of the projection's spec, whatever generation is live.
 * Queries never see `Documents` itself, so a rebuild can move beneath them.
 */
export interface Views {
  get<D extends Document>(collection: string, id: string): Promise<D | null>;
  getMany<D extends Document>(collection: string, ids: readonly string[]): Promise<Map<string, D>>;
  find<D extends Document>(collection: string, query: Query): Promise<Page<D>>;
  scan<D extends Document>(collection: string, query: Query): AsyncIterable<readonly D[]>;
  count(collection: string, equals?: Readonly<Record<string, Scalar>>): Promise<number>;
  /** As `Documents.changed`, for the live generation. */
  changed(collections: readonly string[], timeout: number): Promise<void>;
  /**
   * Waits until the event projection that owns the collection has folded the position, at most `timeout` milliseconds.
   * False when it has not got there by then.
   */
  reached(collection: string, position: number, timeout: number): Promise<boolean>;
}
