import type { Json } from '../../../contracts/json/json';
import type { Document, Scalar } from '../../../contracts/ports/documents';

export function isScalar(value: unknown): value is Scalar {
  return (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    (typeof value === 'number' &&
      Number.isFinite(value) &&
      (!Number.isInteger(value) || Number.isSafeInteger(value)))
  );
}

/**
 * The value of a top-level field or dotted path, null where it is missing.
 * @throws TypeError for an object, a list or an integer beyond 2^53, which the engines index differently
 */
export function fieldOf(document: Document, path: string): Scalar {
  const value = path.includes('.') ? valueAt(document, path) : document[path];
  if (value === undefined) return null;
  if (!isScalar(value)) throw new TypeError(`${path} of document ${document._id} cannot be indexed`);
  return value;
}

function valueAt(document: Document, path: string): Json | undefined {
  let value: Json | undefined = document;
  for (const name of path.split('.')) {
    if (value === null || typeof value !== 'object') return null;
    if (Array.isArray(value)) throw new TypeError(`${path} of document ${document._id} is inside a list`);
    value = value[name];
  }
  return value;
}

const rank = (value: Scalar): number => ['object', 'number', 'string', 'boolean'].indexOf(typeof value);

/** MongoDB's order: null, numbers, strings by their UTF-8 bytes, false, true. */
export function compareScalars(a: Scalar, b: Scalar): number {
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  return typeof a === 'string'
    ? Buffer.compare(Buffer.from(a), Buffer.from(b as string))
    : Number(a) - Number(b);
}
