import type { AccountRef } from '../contracts/network/network';
import type { RecordedEvent } from '../contracts/ports/event-store';
import type { LogMessage } from '../contracts/ports/log';
import type { CollectionSpec, Document } from '../contracts/ports/documents';
import type { Views } from './views';

/** A document by its collection (the name in the projection's spec) and id. */
export interface DocumentKey {
  readonly collection: string;
  readonly id: string;
}

/**
 * A projection as a fold. `touches` names the documents that an input affects; `fold` takes one of them (or null) and
 * returns its next state (or null). Pure: no clock, no side effects, no other document.
 * The engine loads the documents, folds in memory, and commits documents and checkpoint together.
 */
export interface Fold<Input> {
  readonly name: string;
  /** From 1. Raise it whenever the fold or the documents change: the engine then rebuilds beside the live generation and switches. */
  readonly version: number;
  readonly collections: readonly CollectionSpec[];
  touches(input: Input): readonly DocumentKey[];
  fold(document: Document | null, input: Input, key: DocumentKey): Document | null;
  /**
   * Folds several inputs at once, with the same result as one by one: for sums, which then need not be formatted after
   * each input. Only for projections in which every input changes every document it touches.
   */
  foldAll?(document: Document | null, inputs: readonly Input[], key: DocumentKey): Document | null;
}

/** Folds events of the given categories, in the global order. */
export interface EventProjection extends Fold<RecordedEvent> {
  readonly categories: readonly string[];
}

/** Folds messages of the given topics; order holds per key only, so it touches only what belongs to the key. */
export interface LogProjection extends Fold<LogMessage> {
  readonly topics: readonly string[];
  /** Of topics of accounts: what there is of each, so that it can be removed. */
  readonly history?: AccountHistory;
}

/** What records of an account have left in the documents of a projection. */
export interface AccountHistory {
  /**
   * Some of the documents, none only when there are none, also of other projections which nothing else finds. What says that others
   * are complete comes first.
   */
  documents(views: Pick<Views, 'find' | 'getMany'>, account: AccountRef): Promise<readonly DocumentKey[]>;
  /** Whether a record says something of other accounts, whose documents stay. Default: none does. */
  tellsOfOthers?(record: LogMessage): boolean;
}

export type Projection = EventProjection | LogProjection;

export function isLogProjection(projection: Projection): projection is LogProjection {
  return 'topics' in projection;
}
