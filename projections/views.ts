import type { Document, Page, Query, Scalar, Source } from '../contracts/ports/documents';

/** What is asked of documents. */
export interface Question {
  /** Everything that the answer depends on beside documents, the name of the question first; equal means the same answer. */
  readonly asked: readonly unknown[];
  /** Every collection that is read to answer it, or the part of it in which all that is read lies. */
  readonly of: readonly Source[];
}

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
  /**
   * The answer as it was worked out before, the same frozen object, for as long as nothing has changed that it was read
   * from; otherwise it is worked out. The clock and the caller are no part of such an answer, and asking has no effect.
   * @param lasts false for an answer that may be another one next time although no document has changed
   */
  answer<T>(question: Question, workOut: () => Promise<T>, lasts?: (answer: T) => boolean): Promise<T>;
  /** As `Documents.changed`, for the live generation. */
  changed(collections: readonly string[], timeout: number): Promise<void>;
  /**
   * Waits until the event projection that owns the collection has folded the position, at most `timeout` milliseconds.
   * False when it has not got there by then.
   */
  reached(collection: string, position: number, timeout: number): Promise<boolean>;
}
