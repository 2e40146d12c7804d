import { LRUCache } from 'lru-cache';
import type { TonTransaction } from '../../contracts/chain/ton-transaction';
import {
  NOMINATOR_POOLS,
  type KnownContracts,
  type VerifiedContracts,
} from '../../contracts/chain/ton-verified-contracts';
import type { TonNetwork } from '../../contracts/network';
import type { TonClient } from '../../contracts/ports/ton-client';
import { createJettonWalletVerifier, namedJettonWallets } from './jetton-wallets';
import { readNftItem } from './nft-items';

/** What the messages of a transaction say of the contracts (raw) that they come from or go to, which may be wrong. */
export interface NamedContracts {
  readonly jettonWallets: readonly string[];
  readonly nftItems: readonly string[];
  readonly stakingPools: readonly string[];
}

/**
 * Which of them are what they are said to be, as of a masterchain block; null: the newest one.
 * @throws Error when the source does not answer
 */
export type VerifyContracts = (named: NamedContracts, seqno: number | null) => Promise<VerifiedContracts>;

const MAX_CACHED = 50_000;
/** A contract may be deployed or replaced, so it is asked again whether it has become an item. */
const NOT_AN_ITEM_TTL_MS = 600_000;

/**
 * Verifies jetton wallets by their masters, NFT items by their collections (an item of none by itself), and staking pools by
 * their addresses: a contract may answer as a pool does, and keep what it is sent.
 * @param pools raw, beside those that are known to everybody
 */
export function createContractVerifier(
  client: Pick<TonClient, 'getLastBlock' | 'runMethod'>,
  network: TonNetwork,
  pools: readonly string[],
): VerifyContracts {
  const verifyJettonWallets = createJettonWalletVerifier(client);
  const known = new Set([...NOMINATOR_POOLS[network], ...pools]);
  const items = new LRUCache<string, true>({ max: MAX_CACHED });
  const others = new LRUCache<string, true>({ max: MAX_CACHED, ttl: NOT_AN_ITEM_TTL_MS });

  async function isItem(address: string, seqno: number): Promise<boolean> {
    const inBlock = `${address}/${seqno}`;
    if (items.has(address)) return true;
    if (others.has(inBlock)) return false;
    const found = (await readNftItem(client, seqno, address)) !== null;
    if (found) items.set(address, true);
    else others.set(inBlock, true);
    return found;
  }

  return async ({ jettonWallets, nftItems, stakingPools }, seqno) => {
    const at = seqno ?? (nftItems.length === 0 ? 0 : (await client.getLastBlock()).seqno);
    const areItems = await Promise.all(nftItems.map(address => isItem(address, at)));
    const contracts: Record<string, KnownContracts[string]> = {};
    for (const pool of stakingPools) if (known.has(pool)) contracts[pool] = 'staking_pool';
    nftItems.forEach((item, index) => {
      if (areItems[index]) contracts[item] = 'nft_item';
    });
    const wallets = jettonWallets.length === 0 ? {} : await verifyJettonWallets(jettonWallets, seqno);
    return { jettonWallets: wallets, contracts };
  };
}

/** The contracts that the messages of a transaction name. */
export function namedContracts(transaction: TonTransaction): NamedContracts {
  const { inMessage, outMessages, unsent } = transaction;
  const [nftItems, stakingPools] = [new Set<string>(), new Set<string>()];
  for (const { info, nft, staking } of [...(inMessage ? [inMessage] : []), ...outMessages, ...unsent]) {
    if (info.type !== 'internal') continue;
    if (nft) nftItems.add(nft.type === 'transfer' ? info.dest : info.src);
    if (staking) {
      const isRequest = staking.type === 'deposit' || staking.type === 'withdraw';
      stakingPools.add(isRequest ? info.dest : info.src);
    }
  }
  return {
    jettonWallets: namedJettonWallets(transaction),
    nftItems: [...nftItems],
    stakingPools: [...stakingPools],
  };
}
