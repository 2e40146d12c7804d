import type { Document, IndexSpec, Scalar } from '../../../../contracts/ports/documents';
import { orderOf, type OrderTerm } from '../query-plan';
import { fieldOf } from '../scalars';

/**
 * A document as MongoDB stores it. The body is text (`bodyOf`), so that it is read back exactly as it was written; fields that
 * are indexed or counted are stored beside it.
 */
export interface StoredDocument {
  readonly _id: string;
  /** The number of the commit that wrote it last: a write of an earlier commit comes too late and changes nothing. */
  readonly commit: number;
  /** Missing in a tombstone: the document was deleted. */
  readonly body?: string;
  readonly keys: IndexKeys;
  /** Written by the recovery of a commit: a write of its original writer may still arrive. */
  readonly recovered?: true;
}

export type IndexKeys = Readonly<Record<string, Scalar | { readonly deleted: string }>>;

/** Collections of the adapter itself; the names of declared collections cannot start with an underscore. */
export const CATALOG = '_catalog';
export const CHECKPOINTS = '_checkpoints';
export const COMMITS = '_commits';
export const COMMIT_PARTS = '_commit_parts';
export const COUNTERS = '_counters';
export const SEQUENCE = '_sequence';

/** MongoDB would read a dot as a path. */
const keyName = (field: string): string => field.replaceAll('.', ':');

export function pathOf(field: string): string {
  return field === '_id' ? '_id' : `keys.${keyName(field)}`;
}

/** @throws TypeError when a field cannot be indexed */
export function indexKeysOf(document: Document, fields: readonly string[]): IndexKeys {
  return Object.fromEntries(fields.map(field => [keyName(field), fieldOf(document, field)]));
}

/** The keys of a tombstone differ from all others, so that they take no value of a unique index. */
export function tombstoneKeys(id: string, fields: readonly string[]): IndexKeys {
  return Object.fromEntries(fields.map(field => [keyName(field), { deleted: id }]));
}

export function keyIn(keys: IndexKeys, field: string): Scalar {
  return (keys[keyName(field)] as Scalar | undefined) ?? null;
}

export function sortKeys(order: readonly OrderTerm[]): Record<string, 1 | -1> {
  return Object.fromEntries(order.map(([field, direction]) => [pathOf(field), direction === 'asc' ? 1 : -1]));
}

export function indexKeys(spec: IndexSpec | null): Record<string, 1 | -1> {
  return spec ? sortKeys(orderOf(spec)) : { _id: 1 };
}
