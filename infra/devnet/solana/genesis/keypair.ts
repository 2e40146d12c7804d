import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { base58 } from '../svm/base58';

/** The DER prefix of an Ed25519 seed in PKCS #8 (RFC 8410). */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The seed of a key of the local network. These keys are public: never send anything of value to them. */
export function localSeed(name: string): Buffer {
  return createHash('sha256').update(`tidemark local network: ${name}`).digest();
}

export interface SigningKey {
  readonly address: string;
  readonly publicKey: Buffer;
  sign(message: Uint8Array): Buffer;
}

const publicBytes = (key: KeyObject): Buffer =>
  Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x!, 'base64url');

/** An Ed25519 key of Node's crypto: much faster than web3.js, which signs in JavaScript. */
export function signingKey(seed: Buffer): SigningKey {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = publicBytes(key);
  return { address: base58(publicKey), publicKey, sign: message => sign(null, message, key) };
}
