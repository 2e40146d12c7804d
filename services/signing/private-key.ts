import { createPrivateKey, createPublicKey } from 'node:crypto';
import { base64urlOf } from '../../contracts/encoding/base64';
import { publicKey, type PublicKey } from '../../contracts/ledger-tree/keys';

const keyPair = publicKey.extend({ d: base64urlOf(32) });

/** An Ed25519 key pair as a JWK (RFC 8037, section 2), whose parts belong together: otherwise nobody could verify what it signs. */
export const privateKey = keyPair.refine(isPair, 'the public part belongs to another private one');

function isPair(pair: PublicKey & { readonly d: string }): boolean {
  try {
    const derived = createPublicKey(createPrivateKey({ key: pair, format: 'jwk' }));
    return derived.export({ format: 'jwk' }).x === pair.x;
  } catch {
    // Also called for parts that are no base64url.
    return false;
  }
}
