import { hash } from 'node:crypto';
import { InvalidCursor, type Query, type Scalar } from '../../../contracts/ports/documents';
import { isScalar } from './scalars';
import { jsonOrNull } from '../../../contracts/json/read-json';

/**
 * The filter, order and collection that a cursor belongs to. Generations of one collection (`fees@3`, `fees@4`) share
 * their cursors, so that a client can continue paging after a rebuild.
 */
export function queryFingerprint(collection: string, { filter = {}, order = [] }: Query): string {
  const conditions = Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1));
  const query = JSON.stringify([collection.split('@')[0], conditions, order]);
  return hash('sha256', query, 'base64url').slice(0, 16);
}

/** @param key the values of the last document of a page in the fields of the total order */
export function encodeCursor(fingerprint: string, key: readonly Scalar[]): string {
  return Buffer.from(JSON.stringify([fingerprint, ...key])).toString('base64url');
}

const parse = (cursor: string): unknown => jsonOrNull(Buffer.from(cursor, 'base64url').toString());

/**
 * @param fields the fields of the total order
 * @throws InvalidCursor
 */
export function decodeCursor(
  fingerprint: string,
  fields: readonly string[],
  cursor: string,
): readonly Scalar[] {
  const parsed = parse(cursor);
  if (!Array.isArray(parsed) || parsed[0] !== fingerprint)
    throw new InvalidCursor('not a cursor of this query');
  const key: unknown[] = parsed.slice(1);
  const fits = (value: unknown, i: number) =>
    isScalar(value) && (fields[i] !== '_id' || typeof value === 'string');
  if (key.length !== fields.length || !key.every(fits)) throw new InvalidCursor('a damaged cursor');
  return key as Scalar[];
}
