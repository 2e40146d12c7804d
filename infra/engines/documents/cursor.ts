import { hash } from 'node:crypto';
import { InvalidCursor, type Query, type Scalar } from '../../../contracts/ports/documents';
import { isScalar } from './scalars';

/**
 * What a cursor is bound to: filter, order and collection. Generations of one collection (`fees@3`, `fees@4`) share
 * their cursors, so that a rebuild does not break the paging of those who are reading.
 */
export function shapeOf(collection: string, { filter = {}, order = [] }: Query): string {
  const conditions = Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1));
  const shape = JSON.stringify([collection.split('@')[0], conditions, order]);
  return hash('sha256', shape, 'base64url').slice(0, 16);
}

/** @param place where the page ended: the values of its last document in the fields of the total order */
export function encodeCursor(shape: string, place: readonly Scalar[]): string {
  return Buffer.from(JSON.stringify([shape, ...place])).toString('base64url');
}

const parse = (cursor: string): unknown => {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return null;
  }
};

/**
 * @param fields the fields of the total order
 * @throws InvalidCursor
 */
export function decodeCursor(shape: string, fields: readonly string[], cursor: string): readonly Scalar[] {
  const parsed = parse(cursor);
  if (!Array.isArray(parsed) || parsed[0] !== shape) throw new InvalidCursor('not a cursor of this query');
  const place: unknown[] = parsed.slice(1);
  const fits = (value: unknown, i: number) =>
    isScalar(value) && (fields[i] !== '_id' || typeof value === 'string');
  if (place.length !== fields.length || !place.every(fits)) throw new InvalidCursor('a damaged cursor');
  return place as Scalar[];
}
