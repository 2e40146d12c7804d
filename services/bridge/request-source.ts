import { blake2b } from '@noble/hashes/blake2b';
import nacl from 'tweetnacl';

/** Where a message was sent from, as the official bridge describes it. */
export interface RequestSource {
  readonly origin: string;
  readonly ip: string;
  /** Seconds since the epoch, as text. */
  readonly time: string;
  readonly user_agent: string;
}

/**
 * Encrypted for the recipient alone: the anonymous box of libsodium (`crypto_box_seal`: an ephemeral public key, then the box
 * under the nonce BLAKE2b-192 of both public keys), in base64.
 * @param recipient public key of X25519, in hexadecimal
 */
export function sealRequestSource(source: RequestSource, recipient: string): string {
  const to = Buffer.from(recipient, 'hex');
  const ephemeral = nacl.box.keyPair();
  const nonce = blake2b(Buffer.concat([ephemeral.publicKey, to]), { dkLen: nacl.box.nonceLength });
  const box = nacl.box(Buffer.from(JSON.stringify(source)), nonce, to, ephemeral.secretKey);
  return Buffer.concat([ephemeral.publicKey, box]).toString('base64');
}
