import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { base64urlOf, decodeBase64url } from '../encoding/base64';
import { canonicalJson } from '../json/canonical-json';
import { sha256 } from '../encoding/sha256';

/** A public Ed25519 key as a JWK: RFC 8037, section 2. */
export const publicKey = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: base64urlOf(32),
});
export type PublicKey = z.output<typeof publicKey>;

/** The published key set: RFC 7517. The first key signs now; the others signed before and stay valid. */
export const publicKeySet = z.object({
  keys: z.array(publicKey.extend({ kid: z.string(), alg: z.literal('EdDSA'), use: z.literal('sig') })).min(1),
});
export type PublicKeySet = z.output<typeof publicKeySet>;

/** Identifies a key: SHA-256 of its required members, in base64url (RFC 7638, sections 3 and 3.2). */
export function thumbprint({ kty, crv, x }: PublicKey): string {
  return sha256(canonicalJson({ crv, kty, x })).toString('base64url');
}

/** Ed25519: RFC 8032, section 5.1.7. False for anything malformed. */
export function verifySignature(bytes: Buffer, signature: string, key: PublicKey): boolean {
  const signatureBytes = decodeBase64url(signature);
  if (!signatureBytes) return false;
  try {
    return verify(null, bytes, keyObject(key), signatureBytes);
  } catch {
    return false;
  }
}

const keyObject = ({ kty, crv, x }: PublicKey): KeyObject =>
  createPublicKey({ key: { kty, crv, x }, format: 'jwk' });
