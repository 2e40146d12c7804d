import { Keypair } from '@solana/web3.js';
import { localSeed } from '../genesis/keypair';
import { base58 } from '../svm/base58';

/** A scripted account of the local network. */
export interface Actor {
  readonly name: string;
  readonly keypair: Keypair;
}

/** An account for anyone to use: its key is public. */
export interface AccountDescription {
  readonly name: string;
  readonly address: string;
  /** Seed and public key, 64 bytes in base58, as wallets import it. */
  readonly secretKey: string;
}

/** The key of a name, the same on every machine. */
export function localKeypair(name: string): Keypair {
  return Keypair.fromSeed(localSeed(name));
}

export function createActors(): Actor[] {
  return ['alice', 'bob', 'carol', 'dave'].map(name => ({ name, keypair: localKeypair(name) }));
}

export function describeActor({ name, keypair }: Actor): AccountDescription {
  return {
    name,
    address: keypair.publicKey.toBase58(),
    secretKey: base58(keypair.secretKey),
  };
}
