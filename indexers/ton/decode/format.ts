import { Buffer } from 'node:buffer';
import type { Address, Cell } from '@ton/core';

export function boc(cell: Cell): string {
  return cell.toBoc({ idx: false, crc32: true }).toString('base64');
}

export function raw(address: Address | null | undefined): string | null {
  return address?.toRawString() ?? null;
}

/** What was read of a body; null for a malformed one, which `read` cannot read. */
export function readOrNull<T>(read: () => T | null): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** A 256-bit number as the base64 of its 32 bytes. */
export function hash256(value: bigint): string {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex').toString('base64');
}
