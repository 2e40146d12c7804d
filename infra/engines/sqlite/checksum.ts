import { isAscii, isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';

const DIGITS = 8;

/** CRC-32 in eight hexadecimal digits. It detects every change of up to 32 consecutive bits. */
function checksum(content: string | Uint8Array): string {
  return crc32(content).toString(16).padStart(DIGITS, '0');
}

/** A text as it is stored where its content is not checked in another way: after its checksum. */
export function withChecksum(text: string): string {
  return checksum(text) + text;
}

/** Space for the checksum at the start of bytes to be stored, and its value. */
export const CHECKSUM_BYTES = DIGITS;
export function writeChecksum(bytes: Buffer): void {
  bytes.write(checksum(bytes.subarray(DIGITS)), 'latin1');
}

/** The text that was stored `withChecksum`; null when it was changed. */
export function checkedText(bytes: Buffer): string | null {
  const content = bytes.subarray(DIGITS);
  return bytes.toString('latin1', 0, DIGITS) === checksum(content) ? textOf(content) : null;
}

/** Null when the bytes are not UTF-8. */
export function decodeText(bytes: Buffer): string | null {
  return isUtf8(bytes) ? textOf(bytes) : null;
}

/** The text of bytes that are UTF-8. Most are ASCII, which is decoded several times faster. */
export function textOf(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}
