import { DamagedData } from '../../../../contracts/damaged-data';
import { checkedText } from '../../sqlite/checksum';

/** A column that was stored `withChecksum`, to be read by `readText`. */
export function checkedColumn(column: string): string {
  return `CAST(${column} AS BLOB)`;
}

/** Between two bodies, which have no empty line. */
const SEPARATOR = Buffer.from('\n\n');

/**
 * A query of the bodies that another one selects, in its order, to be read by `readBodies`. One value is read in half the
 * time of a row for each.
 */
export function joinedBodies(query: string): string {
  return `SELECT CAST(group_concat(body, char(10, 10)) AS BLOB) FROM (${query})`;
}

/** @param joined null for none. @throws DamagedData */
export function readBodies(joined: Buffer | null, collection: string): string[] {
  const bodies: string[] = [];
  for (let at = 0; joined !== null && at <= joined.length;) {
    const found = joined.indexOf(SEPARATOR, at);
    const end = found < 0 ? joined.length : found;
    bodies.push(readText(joined.subarray(at, end), `a document of ${collection}`));
    at = end + SEPARATOR.length;
  }
  return bodies;
}

/** @param what for the error, such as `a document of fees@1`. @throws DamagedData */
export function readText(bytes: Buffer, what: string): string {
  const text = checkedText(bytes);
  if (text === null) throw new DamagedData('documents', what);
  return text;
}
