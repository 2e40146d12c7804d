import { type Term, termsOf } from '../plan';
import type { Document, IndexSpec, Scalar } from '../../../../contracts/ports/documents';
import { fieldOf } from '../scalars';

/**
 * How a document lies in MongoDB. The body is JSON text, so that what comes out is to the letter what went in; the
 * fields that are indexed or counted stand beside it as values of their own.
 */
export interface Stored {
  readonly _id: string;
  /** The number of the commit that wrote it last: a write with a lower one comes too late and changes nothing. */
  readonly n: number;
  /** Missing: the document was deleted, and its place is kept. */
  readonly body?: string;
  readonly k: Keys;
  /** A commit that somebody finished for its writer has touched it: a write of that writer may still be on its way. */
  readonly helped?: true;
}

export type Keys = Readonly<Record<string, Scalar | { readonly gone: string }>>;

/** Collections of our own; those that are declared cannot begin like this. */
export const CATALOG = '_catalog';
export const CHECKPOINTS = '_checkpoints';
export const COMMITS = '_commits';
export const PARTS = '_commit_parts';
export const COUNTERS = '_counters';
export const SEQUENCE = '_sequence';

/** A dot would be a path to MongoDB. */
const keyName = (field: string): string => field.replaceAll('./mongodb-documents', ':');

export function pathOf(field: string): string {
  return field === '_id' ? '_id' : `k.${keyName(field)}`;
}

/** @throws TypeError when a field cannot be indexed */
export function keysOf(document: Document, fields: readonly string[]): Keys {
  return Object.fromEntries(fields.map(field => [keyName(field), fieldOf(document, field)]));
}

/** What is kept of a deleted document differs from all others, so that unique indexes do not see it. */
export function keysOfGone(id: string, fields: readonly string[]): Keys {
  return Object.fromEntries(fields.map(field => [keyName(field), { gone: id }]));
}

export function keyIn(keys: Keys, field: string): Scalar {
  return (keys[keyName(field)] as Scalar | undefined) ?? null;
}

export function orderKeys(terms: readonly Term[]): Record<string, 1 | -1> {
  return Object.fromEntries(terms.map(([field, direction]) => [pathOf(field), direction === 'asc' ? 1 : -1]));
}

export function indexKeys(spec: IndexSpec | null): Record<string, 1 | -1> {
  return spec ? orderKeys(termsOf(spec)) : { _id: 1 };
}
