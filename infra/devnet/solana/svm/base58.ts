import { ALPHABET, decodeBase58 } from '../../../../contracts/base58';

/** Five digits at a time: the largest power of 58 whose product with 2^16 is still an exact number. */
const CHUNK = 58 ** 5;
const CHUNK_DIGITS = 5;

/** Base58 in Bitcoin's alphabet, as Solana writes addresses, signatures, blockhashes and instruction data. */
export function base58(bytes: Uint8Array): string {
  const limbs = new Array<number>((bytes.length + 1) >> 1);
  const odd = bytes.length & 1;
  if (odd) limbs[0] = bytes[0]!;
  for (let at = odd; at < bytes.length; at += 2) limbs[(at + odd) >> 1] = bytes[at]! * 256 + bytes[at + 1]!;

  let text = '';
  for (let first = 0; first < limbs.length;) {
    let remainder = 0;
    for (let index = first; index < limbs.length; index += 1) {
      const value = remainder * 65536 + limbs[index]!;
      const quotient = Math.floor(value / CHUNK);
      limbs[index] = quotient;
      remainder = value - quotient * CHUNK;
    }
    while (first < limbs.length && limbs[first] === 0) first += 1;
    let digits = '';
    for (let count = 0; count < CHUNK_DIGITS; count += 1) {
      digits = ALPHABET[remainder % 58]! + digits;
      remainder = Math.floor(remainder / 58);
    }
    text = digits + text;
  }
  let significant = 0;
  while (text[significant] === '1') significant += 1;
  let zeros = 0;
  while (zeros < bytes.length && bytes[zeros] === 0) zeros += 1;
  return '1'.repeat(zeros) + text.slice(significant);
}

/** The bytes of base58 text, or null when a character is not of the alphabet. Quadratic: for short texts only. */
export function fromBase58(text: string): Buffer | null {
  const bytes = decodeBase58(text);
  return bytes && Buffer.from(bytes.buffer);
}
