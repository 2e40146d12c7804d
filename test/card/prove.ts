import { createHash } from 'node:crypto';
import { beginCell, contractAddress, storeStateInit, type Address, type StateInit } from '@ton/core';
import { sign, type KeyPair } from '@ton/crypto';
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import bs58 from 'bs58';

// What the app sends, built from the formats alone.

const sha256 = (data: Buffer): Buffer => createHash('sha256').update(data).digest();

export interface Terms {
  readonly domain: string;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly payload?: string;
}

/** @param account workchain and hash of TON, or the key of Solana */
export function signedHash(account: Buffer, { domain, timestamp, payload = '' }: Terms): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(Buffer.byteLength(domain));
  const time = Buffer.alloc(8);
  time.writeBigUInt64LE(BigInt(timestamp));
  const message = Buffer.concat([
    Buffer.from('ton-proof-item-v2/'),
    account,
    length,
    Buffer.from(domain),
    time,
    Buffer.from(payload),
  ]);
  return sha256(Buffer.concat([Buffer.from('ffff', 'hex'), Buffer.from('ton-connect'), sha256(message)]));
}

export function tonAccountBytes({ workChain, hash }: Address): Buffer {
  const workchain = Buffer.alloc(4);
  workchain.writeInt32BE(workChain);
  return Buffer.concat([workchain, hash]);
}

type Network = 'mainnet' | 'testnet';

export function initOfV4({ publicKey }: Pick<KeyPair, 'publicKey'>): StateInit {
  return WalletContractV4.create({ workchain: 0, publicKey }).init;
}
export function initOfV5({ publicKey }: Pick<KeyPair, 'publicKey'>, network: Network = 'mainnet'): StateInit {
  const walletId = { networkGlobalId: network === 'mainnet' ? -239 : -3 };
  return WalletContractV5R1.create({ publicKey, walletId }).init;
}

export interface TonProofOptions extends Terms {
  readonly keys: KeyPair;
  readonly init: StateInit;
  readonly network?: Network;
  readonly workchain?: number;
}

/** The element of TON. */
export function tonElement({ keys, init, network = 'mainnet', workchain = 0, ...terms }: TonProofOptions) {
  const payload = terms.payload ?? 'ton-proof-any';
  const address = contractAddress(workchain, init);
  const hash = signedHash(tonAccountBytes(address), { ...terms, payload });
  return {
    stack: 'ton',
    network: `ton-${network}`,
    key: {
      kind: 'tonconnect-v2',
      wallet: 'tonhub',
      config: {
        address: address.toRawString(),
        proof: {
          timestamp: terms.timestamp,
          domain: { lengthBytes: Buffer.byteLength(terms.domain), value: terms.domain },
          signature: sign(hash, keys.secretKey).toString('base64'),
          payload,
          publicKey: keys.publicKey.toString('hex'),
          walletStateInit: beginCell().store(storeStateInit(init)).endCell().toBoc().toString('base64'),
        },
      },
    },
  };
}

/** The element of Solana. */
export function solanaElement({
  keys,
  network = 'mainnet',
  ...terms
}: Terms & { readonly keys: KeyPair; readonly network?: 'mainnet' | 'devnet' }) {
  const payload = terms.payload ?? 'solana-proof-any';
  const address = bs58.encode(keys.publicKey);
  const hash = signedHash(keys.publicKey, { ...terms, payload });
  return {
    stack: 'solana',
    network: `solana-${network}`,
    key: {
      kind: 'tonconnect-v2',
      wallet: 'tonhub',
      config: {
        address,
        proof: {
          timestamp: terms.timestamp,
          domain: { lengthBytes: Buffer.byteLength(terms.domain), value: terms.domain },
          signature: bs58.encode(sign(hash, keys.secretKey)),
          payload,
          publicKey: address,
        },
      },
    },
  };
}
