import type { JsonObject } from '../json';

/** A document is JSON with its id in `_id`. Field names hold no `.` and do not begin with `$`. */
export type Document = JsonObject & { readonly _id: string };

export type Direction = 'asc' | 'desc';

/** Fields in order, each a top-level field or a dotted path. Queries are answered by an index or refused. */
export interface IndexSpec {
  readonly fields: readonly (readonly [field: string, direction: Direction])[];
  readonly unique?: boolean;
}

export interface CollectionSpec {
  readonly name: string;
  readonly indexes: readonly IndexSpec[];
  /** Sets of fields whose equality can be counted without a scan; `[]` counts the whole collection. */
  readonly counts?: readonly (readonly string[])[];
}

export type Scalar = string | number | boolean | null;

/** Equality, membership or a range per field; all of them must hold. */
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
  /** A `next` from an earlier page of the same query: goes on after it without reading what came before. */
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
}

/** How far a projection has read: a position of the event store, or offsets of partitions (`topic/partition`). */
export type Checkpoint =
  { readonly position: number } | { readonly offsets: Readonly<Record<string, number>> };

export interface Commit {
  /** Applied in this order; no collection and id twice. */
  readonly writes: readonly Write[];
  /**
   * Stored with the writes or not at all. With `expect` the commit goes through only while the checkpoint stored under
   * the name is that one (null: none yet); otherwise nothing of it is written and it throws `CheckpointMoved`.
   */
  readonly checkpoint?: {
    readonly name: string;
    readonly value: Checkpoint;
    readonly expect?: Checkpoint | null;
  };
}

export interface DeclareOptions {
  /**
   * Leaves out the indexes and counters that are not there yet, so that a collection is filled several times faster.
   * Declaring again without it builds them, unique ones included. Until then only by id is anything found, and
   * nothing is counted.
   */
  readonly deferIndexes?: boolean;
}

/** A stretch of a comparison: ids that are not alike, and how many documents of the second collection were looked at. */
export interface Unlike {
  readonly ids: readonly string[];
  readonly documents: number;
}

/** What an answer was read from: a collection, or a part of it. */
export interface Source {
  readonly collection: string;
  /** Only documents with this id, or whose id begins with it and a `/`; it holds no `/` itself unless it is a whole id. */
  readonly part?: string;
}

/** Only what SQLite and MongoDB do alike; `test/contracts/documents.ts` is the definition. */
export interface Documents {
  /**
   * Creates collections, indexes and counters, or finds them as they are. Adds what a collection lacks, removes nothing.
   * @throws DuplicateKey when the documents already there break a unique index
   */
  declare(collections: readonly CollectionSpec[], options?: DeclareOptions): Promise<void>;
  drop(collection: string): Promise<void>;
  get<D extends Document>(collection: string, id: string): Promise<D | null>;
  /** The ones that exist, by id. */
  getMany<D extends Document>(collection: string, ids: readonly string[]): Promise<Map<string, D>>;
  find<D extends Document>(collection: string, query: Query): Promise<Page<D>>;
  /** All matches in pages, read as they are consumed: for exports. `limit` is the page size. */
  scan<D extends Document>(collection: string, query: Query): AsyncIterable<readonly D[]>;
  /** Number of matches of equalities on a declared set of `counts`; costs the same for 10 and 10 million. */
  count(collection: string, equals?: Readonly<Record<string, Scalar>>): Promise<number>;
  /**
   * The ids of documents that two collections do not hold in the same words, or that one of them lacks. For adapters
   * that can tell without handing out the documents; where there is none, compare what `scan` gives.
   */
  differing?(left: string, right: string): AsyncIterable<Unlike>;
  /**
   * Durable when it resolves. Until then readers may see some of its writes, also when its process dies in the middle:
   * for as long as nobody opens the documents, commits under the same checkpoint or asks for it. Who is shown the
   * checkpoint is shown all that was stored with it.
   * @throws DuplicateKey, CheckpointMoved, UnknownCollection, and nothing is written; EngineUnavailable, and the commit
   *   may have gone through or go through yet
   */
  commit(commit: Commit): Promise<void>;
  checkpoint(name: string): Promise<Checkpoint | null>;
  /**
   * Resolves when a commit to one of the collections happened after this call (from any process), or at the time-out
   * (milliseconds). A hint to look again, not a promise that anything of interest changed.
   */
  changed(collections: readonly string[], timeout: number): Promise<void>;
  /**
   * A text that is the same as before only if no commit, of any process, has changed the sources in between: what was
   * read after asking for it may be given out for as long as it stays. It may also differ when nothing has changed, and
   * means nothing to another process. For adapters that can tell within microseconds.
   */
  version?(sources: readonly Source[]): string;
  close(): Promise<void>;
}

/** A unique index said no. */
export class DuplicateKey extends Error {
  override readonly name = 'DuplicateKey';
}

/** Somebody else moved the checkpoint that a commit expected: the writer is not alone, or its commit had gone through before. */
export class CheckpointMoved extends Error {
  override readonly name = 'CheckpointMoved';
}

/** The collection was never declared, or was dropped: what reads and commits that name it throw. */
export class UnknownCollection extends Error {
  override readonly name = 'UnknownCollection';
}

/** No declared index answers the query, or a filter holds what is not a scalar: a fault of the caller's code. */
export class UnanswerableQuery extends Error {
  override readonly name = 'UnanswerableQuery';
}

/** The cursor is damaged, made up, or of another query: a fault of the client, to be answered with 400. */
export class InvalidCursor extends Error {
  override readonly name = 'InvalidCursor';
}
