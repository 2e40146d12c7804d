import bs58 from 'bs58';

/** Base58 in Bitcoin's alphabet, as Solana uses it. */
export function encodeBase58(bytes: Uint8Array): string {
  return bs58.encode(bytes);
}

/** The bytes of base58 text; null when it is not base58. */
export function decodeBase58(text: string): Uint8Array | null {
  try {
    // A copy: the library's buffer may be a part of a larger one.
    return new Uint8Array(bs58.decode(text));
  } catch {
    return null;
  }
}

/** True for base58 text of exactly 64 bytes: a Solana signature, which is also the id of its transaction. */
export function isSolanaSignature(text: string): boolean {
  return text.length >= 64 && text.length <= 88 && decodeBase58(text)?.length === 64;
}
