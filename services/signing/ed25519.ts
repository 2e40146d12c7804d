import { createPublicKey, verify } from 'node:crypto';

/**
 * The points of small order, the sign bit cleared, in hex: with one of them as public key anybody can make signatures
 * (the list of libsodium's `ge25519_has_small_order`). A contract may hold one, such as all zeros in place of a key.
 */
const SMALL_ORDER: ReadonlySet<string> = new Set([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
]);

/**
 * Ed25519 (RFC 8032, section 5.1.7). False for anything malformed.
 * @param publicKey 32 bytes
 * @param signature 64 bytes
 */
export function verifyEd25519(message: Buffer, signature: Buffer, publicKey: Buffer): boolean {
  const point = Buffer.from(publicKey);
  point[31]! &= 0x7f;
  if (SMALL_ORDER.has(point.toString('hex'))) return false;
  try {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') };
    return verify(null, message, createPublicKey({ format: 'jwk', key: jwk }), signature);
  } catch {
    return false;
  }
}
