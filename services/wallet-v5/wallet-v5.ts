// Not of the package's index, which loads its HTTP clients too.
import { WalletContractV5R1 } from '@ton/ton/dist/wallets/WalletContractV5R1';
import { LRUCache } from 'lru-cache';
import { TON_GLOBAL_IDS, type TonNetwork } from '../../contracts/network/network';
import type { TonClient } from '../../contracts/ports/ton-client';
import { readWalletState } from './state';

/** Signs the hash of a cell, 32 bytes, with the key of a wallet. */
export type Sign = (hash: Buffer) => Buffer;

/** The key of a wallet: nobody sees the secret part. */
export interface WalletKey {
  /** 32 bytes. */
  readonly publicKey: Buffer;
  readonly sign: Sign;
}

/** Each reads the code of the contract again, and one transfer needs that of the relayer and that of the sender some times. */
const wallets = new LRUCache<string, WalletContractV5R1>({ max: 64 });

/** The wallet v5 r1 that applications make of a key (32 bytes): with the first wallet id of the network. */
export function walletV5(publicKey: Buffer, network: TonNetwork): WalletContractV5R1 {
  const id = `${network}/${publicKey.toString('hex')}`;
  const known = wallets.get(id);
  if (known) return known;
  const wallet = WalletContractV5R1.create({
    publicKey,
    walletId: { networkGlobalId: TON_GLOBAL_IDS[network] },
  });
  wallets.set(id, wallet);
  return wallet;
}

export interface WalletBalance {
  /** Messages that it has carried out; 0 where it does not exist yet. */
  readonly seqno: number;
  /** Nanotons. */
  readonly balance: bigint;
}

/** A wallet v5 r1 (raw) as a block of the masterchain says. */
export async function walletAt(
  { client }: { readonly client: Pick<TonClient, 'getAccount'> },
  account: string,
  block: number,
): Promise<WalletBalance> {
  const { code, data, balance } = await client.getAccount(block, account);
  const state = code && data ? readWalletState({ code, data }) : null;
  return { seqno: state?.seqno ?? 0, balance };
}
