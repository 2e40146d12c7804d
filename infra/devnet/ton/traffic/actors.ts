import { formatTonAddress } from '../../../../contracts/address';
import type { TonNetwork } from '../../../../contracts/network';
import { type LocalWallet, type WalletVersion, localWallet } from '../wallets';

/** A scripted account of the local network. */
export interface Actor extends LocalWallet {
  readonly name: string;
}

const ROLES: readonly (readonly [name: string, version: WalletVersion])[] = [
  ['issuer', 'v5r1'],
  ['alice', 'v5r1'],
  ['bob', 'v4r2'],
  ['carol', 'v5r1'],
  ['dave', 'v4r2'],
];

/** Derived from the seed; the first one issues the jetton. */
export function createActors(seed: string, network: TonNetwork): Promise<Actor[]> {
  return Promise.all(
    ROLES.map(async ([name, version]) => ({
      name,
      ...(await localWallet(`${seed}/${name}`, version, network)),
    })),
  );
}

/** An account for anyone to use: its keys are public. */
export interface AccountDescription {
  readonly name: string;
  /** Not bounceable, for a first deposit; test-only on testnet. */
  readonly address: string;
  readonly rawAddress: string;
  readonly walletVersion: WalletVersion;
  /** 24 words. */
  readonly mnemonic: string;
  /** Hex. */
  readonly publicKey: string;
}

export function describeActor(actor: Actor, network: TonNetwork): AccountDescription {
  const rawAddress = actor.contract.address.toRawString();
  return {
    name: actor.name,
    address: formatTonAddress(rawAddress, network, false),
    rawAddress,
    walletVersion: actor.version,
    mnemonic: actor.mnemonic.join(' '),
    publicKey: actor.keys.publicKey.toString('hex'),
  };
}
