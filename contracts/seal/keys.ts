import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from '../canonical-json';
import { sha256 } from './sha256';

/** A public Ed25519 key as a JWK: RFC 8037, section 2. */
export const publicKey = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
});
export type PublicKey = z.output<typeof publicKey>;

/** As it is published: RFC 7517. The first key signs, those behind it did so before and stay valid. */
export const publicKeySet = z.object({
  keys: z.array(publicKey.extend({ kid: z.string(), alg: z.literal('EdDSA'), use: z.literal('sig') })).min(1),
});
export type PublicKeySet = z.output<typeof publicKeySet>;

/** SHA-256 over the members that make the key, in base64url: RFC 7638, sections 3 and 3.2. Names a key by what it is. */
export function thumbprint({ kty, crv, x }: PublicKey): string {
  return sha256(canonicalJson({ crv, kty, x })).toString('base64url');
}

/** Ed25519 of RFC 8032, section 5.1.7. Anything malformed is no signature. */
export function isSigned(bytes: Buffer, signature: string, key: PublicKey): boolean {
  try {
    return verify(null, bytes, keyObject(key), Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
}

const keyObject = ({ kty, crv, x }: PublicKey): KeyObject =>
  createPublicKey({ key: { kty, crv, x }, format: 'jwk' });
