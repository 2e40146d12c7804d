import { crc32 } from 'node:zlib';
import { textOf } from '../../sqlite/checksum';
import { readJson } from '../../../../contracts/json/read-json';

/** CRC-32 of everything that is read of a message. @param text key and headers, as `TEXT_SQL` joins them */
export function checksumOf(
  partition: number,
  offset: number,
  timestamp: number,
  text: string | Uint8Array,
  value: Uint8Array,
): number {
  const sum = crc32(text, crc32(`${partition} ${offset} ${timestamp}`));
  // zlib starts again from 0 for the empty value that libsql returns.
  return value.length === 0 ? sum : crc32(value, sum);
}

/** A key contains no U+0000. */
const SEPARATOR = '\0';

export const TEXT_SQL = 'CAST(headers || char(0) || key AS BLOB)';

export function joinText(key: string, headers: string): string {
  return headers + SEPARATOR + key;
}

export function splitText(bytes: Buffer): readonly [key: string, headers: Record<string, string>] {
  const text = textOf(bytes);
  const end = text.indexOf(SEPARATOR);
  return [text.slice(end + 1), readJson(text.slice(0, end)) as Record<string, string>];
}
