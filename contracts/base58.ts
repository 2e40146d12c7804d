/** Bitcoin's, as Solana uses it. */
export const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const VALUES = new Int8Array(128).fill(-1);
for (let i = 0; i < ALPHABET.length; i++) VALUES[ALPHABET.charCodeAt(i)] = i;

/** The bytes of base58 text (Bitcoin alphabet, as Solana uses it), most significant first. Null when it is not base58. */
export function decodeBase58(text: string): Uint8Array | null {
  const reversed: number[] = [];
  for (let i = 0; i < text.length; i++) {
    let carry = VALUES[text.charCodeAt(i)] ?? -1;
    if (carry < 0) return null;
    for (let j = 0; j < reversed.length; j++) {
      carry += reversed[j]! * 58;
      reversed[j] = carry & 0xff;
      carry >>= 8;
    }
    for (; carry > 0; carry >>= 8) reversed.push(carry & 0xff);
  }
  let zeros = 0;
  while (text[zeros] === '1') zeros++;
  const bytes = new Uint8Array(zeros + reversed.length);
  for (let j = 0; j < reversed.length; j++) bytes[bytes.length - 1 - j] = reversed[j]!;
  return bytes;
}

/** True for base58 text of exactly 64 bytes: a Solana signature, which is also the id of its transaction. */
export function isSolanaSignature(text: string): boolean {
  return text.length >= 64 && text.length <= 88 && decodeBase58(text)?.length === 64;
}
