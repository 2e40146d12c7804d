import { decodeBase58, encodeBase58 } from '../../../../contracts/encoding/base58';

/** Base58 as Solana writes addresses, signatures, blockhashes and instruction data. */
export function base58(bytes: Uint8Array): string {
  return encodeBase58(bytes);
}

/** The bytes of base58 text, or null when it is not base58. Quadratic: for short texts only. */
export function fromBase58(text: string): Buffer | null {
  const bytes = decodeBase58(text);
  return bytes && Buffer.from(bytes);
}
