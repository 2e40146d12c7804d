import { parseTonAddress } from '../../../../contracts/account/address';
import { rootOfSmallBag } from '../../../../contracts/chain/ton-cells';
import { decodeAnyBase64 } from '../../../../contracts/encoding/base64';
import { BadRequest } from './answer';

const MAX_UINT32 = 0xffff_ffff;

/** An unsigned 32-bit number: a seqno or Unix seconds. */
export function uint32(name: string, text: string): number {
  const value = Number(text);
  if (!/^\d{1,10}$/.test(text) || value > MAX_UINT32) {
    throw new BadRequest(`${name} must be a whole number below 2^32`);
  }
  return value;
}

/** A logical time. Those of a local network stay below 2^53. */
export function logicalTime(text: string): number {
  const value = Number(text);
  if (!/^\d{1,20}$/.test(text)) throw new BadRequest('lt must be a whole number');
  return Math.min(value, Number.MAX_SAFE_INTEGER);
}

/** Raw form of an address in either form. */
export function address(text: string): string {
  const parsed = parseTonAddress(text);
  if (!parsed) throw new BadRequest('address is neither a friendly nor a raw TON address');
  return parsed.raw;
}

/** Bytes in base64 or base64url. */
export function base64(name: string, text: unknown): Buffer {
  const bytes = typeof text === 'string' && text !== '' ? decodeAnyBase64(text) : null;
  if (!bytes) throw new BadRequest(`${name} must be base64`);
  return bytes;
}

export function hash(text: string): Buffer {
  const bytes = base64('hash', text);
  if (bytes.length !== 32) throw new BadRequest('hash must be 32 bytes');
  return bytes;
}

/** Arguments of a get-method: a small bag of cells in base64. Whether it is a tuple is seen when it is read. */
export function methodArguments(text: string | undefined): string | null {
  if (text === undefined) return null;
  const boc = base64('args', text);
  if (!rootOfSmallBag(boc)) throw new BadRequest('args must be a small bag of cells in base64');
  return boc.toString('base64');
}

/** Ids of configuration parameters, separated by commas. */
export function configIds(text: string | undefined): number[] | null {
  if (text === undefined) return null;
  const ids = text.split(',');
  if (!ids.every(id => /^-?\d{1,10}$/.test(id) && Math.abs(Number(id)) <= 0x7fff_ffff)) {
    throw new BadRequest('ids must be whole numbers of 32 bits, separated by commas');
  }
  return ids.map(Number);
}
