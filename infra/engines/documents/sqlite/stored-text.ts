import { DamagedData } from '../../../../contracts/engine/damaged-data';
import { checkedText } from '../../sqlite/checksum';

/** A column that was stored `withChecksum`, to be read by `readText`. */
export function checkedColumn(column: string): string {
  return `CAST(${column} AS BLOB)`;
}

const NEWLINE = 0x0a;
const COMMA = 0x2c;
const ZERO = 0x30;

/** Between two bodies, which have no empty line. */
const SEPARATOR = Buffer.from('\n\n');

/**
 * A query of the bodies that another one selects, in its order, to be read by `readBodies`. One value is read in half the
 * time of a row for each.
 */
export function joinedBodies(query: string): string {
  return `SELECT CAST(group_concat(body, char(10, 10)) AS BLOB) FROM (${query})`;
}

const endOf = (joined: Buffer, start: number): number => {
  const found = joined.indexOf(SEPARATOR, start);
  return found < 0 ? joined.length : found;
};

/** @param joined null for none. @throws DamagedData */
export function readBodies(joined: Buffer | null, collection: string): string[] {
  const bodies: string[] = [];
  for (let at = 0; joined !== null && at <= joined.length;) {
    const end = endOf(joined, at);
    bodies.push(readBody(joined.subarray(at, end), collection));
    at = end + SEPARATOR.length;
  }
  return bodies;
}

/** @throws DamagedData */
export function readBody(bytes: Buffer, collection: string): string {
  return readText(bytes, `a document of ${collection}`);
}

/** The content of a row for good: no commit has the number of another, also not for another document in the same row. */
export interface RowVersion {
  readonly row: number;
  /** The number of the commit that wrote it. */
  readonly version: number;
  /** To be read by `readBody`; null when it was not asked for. */
  readonly body: Buffer | null;
}

/** Selects a `RowVersion`, with its body when the commit is later than the first parameter. */
export const ROW_VERSION = `rowid || ',' || CAST(version AS INTEGER) ||
  CASE WHEN CAST(version AS INTEGER) > ?1 THEN char(10) || ifnull(body, '') ELSE '' END AS body`;

/** @param joined `joinedBodies` of `ROW_VERSION`; null for none */
export function readRowVersions(joined: Buffer | null): RowVersion[] {
  const found: RowVersion[] = [];
  if (joined === null) return found;
  for (let at = 0; at < joined.length;) {
    const comma = joined.indexOf(COMMA, at);
    let end = comma + 1;
    while (end < joined.length && joined[end] !== NEWLINE) end += 1;
    const row = numberIn(joined, at, comma);
    const version = numberIn(joined, comma + 1, end);
    const hasBody = end < joined.length && joined[end + 1] !== NEWLINE;
    at = hasBody ? endOf(joined, end + 1) : end;
    found.push({ row, version, body: hasBody ? joined.subarray(end + 1, at) : null });
    at += SEPARATOR.length;
  }
  return found;
}

const numberIn = (bytes: Buffer, from: number, to: number): number => {
  let number = 0;
  for (let at = from; at < to; at += 1) number = number * 10 + (bytes[at]! - ZERO);
  return number;
};

/** @param what for the error, such as `a document of fees@1`. @throws DamagedData */
export function readText(bytes: Buffer, what: string): string {
  const text = checkedText(bytes);
  if (text === null) throw new DamagedData('documents', what);
  return text;
}
