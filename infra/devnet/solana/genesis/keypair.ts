import { createHash } from 'node:crypto';
import { type Ed25519Key, ed25519Key } from '../../ed25519';
import { base58 } from '../svm/base58';

/** The seed of a key of the local network. These keys are public: never send anything of value to them. */
export function localSeed(name: string): Buffer {
  return createHash('sha256').update(`tidemark local network: ${name}`).digest();
}

export interface SigningKey extends Ed25519Key {
  readonly address: string;
}

export function signingKey(seed: Buffer): SigningKey {
  const key = ed25519Key(seed);
  return { ...key, address: base58(key.publicKey) };
}
