import type { JsonObject } from '../json/json';
import type { ChangedParts } from './wake-ups';

/** A document is JSON with its id in `_id`. Field names contain no `.` and do not begin with `$`. */
export type Document = JsonObject & { readonly _id: string };

export type Direction = 'asc' | 'desc';

/** Fields in order, each a top-level field or a dotted path. A query that no index answers is refused. */
export interface IndexSpec {
  readonly fields: readonly (readonly [field: string, direction: Direction])[];
  readonly unique?: boolean;
}

export interface CollectionSpec {
  readonly name: string;
  readonly indexes: readonly IndexSpec[];
  /** What can be counted and summed up without a scan. */
  readonly counts?: readonly Counted[];
}

/** Fields whose equality is counted; `[]` counts the whole collection. Or the sum of a field, which has integers, of the same documents. */
export type Counted = readonly string[] | { readonly sumOf: string; readonly by: readonly string[] };

export type Scalar = string | number | boolean | null;

/** Equality, membership or a range per field; all must match. */
export type Filter = Readonly<
  Record<
    string,
    | Scalar
    | { readonly in: readonly Scalar[] }
    | { readonly gt?: Scalar; readonly gte?: Scalar; readonly lt?: Scalar; readonly lte?: Scalar }
  >
>;

export interface Query {
  readonly filter?: Filter;
  /** Ties are broken by `_id` in the direction of the last field; default: by `_id` ascending. */
  readonly order?: readonly (readonly [field: string, direction: Direction])[];
  readonly limit: number;
  readonly skip?: number;
  /** The `next` of an earlier page of the same query: continues after it, at a cost that does not grow with the page number. */
  readonly cursor?: string;
}

export interface Page<D extends Document = Document> {
  readonly documents: readonly D[];
  /** Null on the last page. */
  readonly next: string | null;
}

export interface Write {
  readonly collection: string;
  readonly id: string;
  /** Null deletes. */
  readonly document: Document | null;
  /**
   * The writer has read that there is no such document, and the expected checkpoint of the commit says that this is still so: an
   * adapter may insert it without looking for it. Where there is one it may throw `DuplicateKey`.
   */
  readonly isNew?: boolean;
}

/** The progress of a projection: a position of the event store, or offsets of partitions (`topic/partition`). */
export type Checkpoint =
  | {
      readonly position: number;
      readonly counted?: CountedEvents;
      /** Distinguishes values of one position for `expect`. */
      readonly stamp?: string;
    }
  | { readonly offsets: Readonly<Record<string, number>> };

/** How many events a projection has folded, those of its categories that it received: after a position, up to its checkpoint. */
export interface CountedEvents {
  readonly after: number;
  readonly events: number;
}

export interface Commit {
  /** Applied in this order; each document at most once. */
  readonly writes: readonly Write[];
  /**
   * Stored together with the writes. With `expect` the commit succeeds only if the stored checkpoint is that one (null:
   * none yet); otherwise nothing is written and it throws `CheckpointMoved`.
   */
  readonly checkpoint?: {
    readonly name: string;
    /** Null deletes. */
    readonly value: Checkpoint | null;
    readonly expect?: Checkpoint | null;
  };
}

export interface DeclareOptions {
  /**
   * Does not build missing indexes and counters, so that a collection can be filled several times faster. Declaring again
   * without it builds them, unique ones included. Until then documents are found by id only, and not counted.
   */
  readonly deferIndexes?: boolean;
}

/** A part of a diff: the ids of documents that differ, and the number of documents of the second collection compared. */
export interface Mismatch {
  readonly ids: readonly string[];
  readonly documents: number;
}

/** Where a result was read from: a collection, or a part of it. */
export interface Source {
  readonly collection: string;
  /** Only the document with this id and those whose id starts with it and a `/`. Has no `/` unless it is a whole id. */
  readonly part?: string;
}

/** Only what SQLite and MongoDB have in common; `test/contracts/documents.ts` is the definition. */
export interface Documents {
  /**
   * Creates collections, indexes and counters that do not exist yet; removes none.
   * @throws DuplicateKey when existing documents break a unique index
   */
  declare(collections: readonly CollectionSpec[], options?: DeclareOptions): Promise<void>;
  drop(collection: string): Promise<void>;
  get<D extends Document>(collection: string, id: string): Promise<D | null>;
  /** The existing documents, by id. */
  getMany<D extends Document>(collection: string, ids: readonly string[]): Promise<Map<string, D>>;
  /** Documents that are found must not be changed: pages may share them. */
  find<D extends Document>(collection: string, query: Query): Promise<Page<D>>;
  /** All matches in pages, read as they are consumed, for exports. `limit` is the page size. */
  scan<D extends Document>(collection: string, query: Query): AsyncIterable<readonly D[]>;
  /** Number of matches of equalities on a declared set of `counts`; costs the same for 10 and 10 million. */
  count(collection: string, equals?: Readonly<Record<string, Scalar>>): Promise<number>;
  /** The sum of a field of the matches of equalities, declared in `counts`; it costs the same as a count. */
  sum(collection: string, field: string, equals?: Readonly<Record<string, Scalar>>): Promise<number>;
  /**
   * Compares two collections: the ids of documents with different content or in one of them only. For adapters that can
   * do it without loading the documents; otherwise compare the results of `scan`.
   */
  diff?(left: string, right: string): AsyncIterable<Mismatch>;
  /**
   * Durable when it resolves, and atomic: whatever crashes, its writes and its checkpoint are stored together or not at all, and
   * readers see none of it or all.
   * @throws DuplicateKey, CheckpointMoved, UnknownCollection, and nothing is written; EngineUnavailable, and the commit
   *   may have succeeded or may still succeed
   */
  commit(commit: Commit): Promise<void>;
  checkpoint(name: string): Promise<Checkpoint | null>;
  /**
   * Resolves at the next commit to one of the collections, by any process, or after the time-out. A hint to read again:
   * the change may be irrelevant.
   */
  waitForChange(collections: readonly string[], timeoutMs: number): Promise<void>;
  /**
   * Calls back after every commit to the collection, by any process, with the parts it changed: the ids up to their first
   * `/`. Hints like those of `waitForChange`, and null instead of the parts when anything may have changed. `onChange` must
   * not throw.
   * @returns a function that ends the subscription
   */
  subscribe(collection: string, onChange: (parts: ChangedParts) => void): () => void;
  /**
   * A version tag that is unchanged only if no commit, of any process, has changed the sources: a result read after it may
   * be cached until the tag changes. It may change without a commit, and is valid in this process only. For adapters that
   * can compute it within microseconds.
   */
  version?(sources: readonly Source[]): Promise<string>;
  close(): Promise<void>;
}

/** A write breaks a unique index. */
export class DuplicateKey extends Error {
  override readonly name = 'DuplicateKey';
}

/** The checkpoint is not the expected one: there is another writer, or the commit has already succeeded. */
export class CheckpointMoved extends Error {
  override readonly name = 'CheckpointMoved';
}

/** The collection was never declared, or was dropped. */
export class UnknownCollection extends Error {
  override readonly name = 'UnknownCollection';
}

/** No declared index answers the query, or a filter has a value that is not a scalar: an error in the calling code. */
export class UnanswerableQuery extends Error {
  override readonly name = 'UnanswerableQuery';
}

/** The cursor is damaged, forged or of another query: an error of the client, answered with 400. */
export class InvalidCursor extends Error {
  override readonly name = 'InvalidCursor';
}

/** The part that a document belongs to: its id up to the first `/`. */
export function partOf(id: string): string {
  const slash = id.indexOf('/');
  return slash < 0 ? id : id.slice(0, slash);
}
