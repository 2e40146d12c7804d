import type { Scalar } from '../../../../contracts/ports/documents';

/** An indexed value as SQLite stores it: NULL, numbers and text are ordered like MongoDB's null, numbers and strings. */
export type Key = string | number | null;

/**
 * SQLite ends a text at U+0000, so U+0000 and U+0001 are escaped in a way that keeps the order. A lone surrogate has no
 * UTF-8 encoding and becomes U+FFFD, as in MongoDB.
 */
const text = (value: string): string =>
  // eslint-disable-next-line no-control-regex
  /[\0\x01\ud800-\udfff]/.test(value) ? escaped(value) : value;

const escaped = (value: string): string =>
  (value as string & { toWellFormed(): string })
    .toWellFormed()
    // eslint-disable-next-line no-control-regex
    .replace(/[\0\x01]/g, character => (character === '\0' ? '\x01\x01' : '\x01\x02'));

/** Booleans become 1 and 0: a field has booleans or numbers, not both. */
export function keyOf(value: Scalar): Key {
  return typeof value === 'string' ? text(value) : typeof value === 'boolean' ? Number(value) : value;
}

/**
 * A key as JSON. SQLite reads decimals with an error of some units in the 19th digit; the shortest form of a double
 * may then become its neighbour, 18 digits of it cannot.
 */
export function keyJson(key: Key): string {
  return typeof key === 'number' && !Number.isInteger(key) ? key.toPrecision(18) : JSON.stringify(key);
}

/** Text that needs no escaping, neither as a key nor in JSON. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** The key of a value as JSON. With a fast path: nearly all values are plain, and each document has several. */
export function keyJsonOf(value: Scalar): string {
  return typeof value === 'string' && PLAIN.test(value) ? `"${value}"` : keyJson(keyOf(value));
}
