import type { Cell } from '@ton/core';
import { verifyEd25519 } from '../../signing/ed25519';
import { refusal, type GaslessRefusal } from '../deps';
import { readSignedRequest, type SignedRequest } from './signed-request';

/** What the owner of a key has signed. @param owner the public key */
export function verifiedRequest(body: Cell, owner: Buffer): SignedRequest | GaslessRefusal {
  const signed = readSignedRequest(body);
  if (!signed) return refusal('try-later', 'no request for an internal message');
  return verifyEd25519(signed.signedHash, signed.signature, owner)
    ? signed
    : refusal('try-later', 'not the signature of the key');
}
