import { Buffer } from 'node:buffer';
import type { Address, Cell } from '@ton/core';

export const boc = (cell: Cell): string => cell.toBoc({ idx: false, crc32: true }).toString('base64');

export const raw = (address: Address | null | undefined): string | null => address?.toRawString() ?? null;

/** A 256-bit number as the base64 of its 32 bytes. */
export const hash256 = (value: bigint): string =>
  Buffer.from(value.toString(16).padStart(64, '0'), 'hex').toString('base64');
