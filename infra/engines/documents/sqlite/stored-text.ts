import { DamagedData } from '../../../../contracts/damaged-data';
import { checkedText } from '../../sqlite/checksum';

/** A column that was stored `withChecksum`, to be read by `readText`. */
export function checkedColumn(column: string): string {
  return `CAST(${column} AS BLOB)`;
}

/** @param what for the error, such as `a document of fees@1`. @throws DamagedData */
export function readText(bytes: Buffer, what: string): string {
  const text = checkedText(bytes);
  if (text === null) throw new DamagedData('documents', what);
  return text;
}
