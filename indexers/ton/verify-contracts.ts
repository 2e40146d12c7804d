import { LRUCache } from 'lru-cache';
import { atMost } from '../../contracts/engine/cache-bounds';
import type { JettonWallets } from '../../contracts/chain/ton-jetton';
import type { DepositFees } from '../../contracts/chain/ton-trace';
import type { TonTransaction } from '../../contracts/chain/ton-transaction';
import { contractsAmong, KNOWN_CONTRACTS, accountsNamedIn } from '../../contracts/chain/ton-known-contracts';
import type { KnownContracts, VerifiedContracts } from '../../contracts/chain/ton-verified-contracts';
import type { TonNetwork } from '../../contracts/network/network';
import type { TonClient } from '../../contracts/ports/ton-client';
import { createDepositFees } from './deposit-fees';
import { createJettonWalletVerifier, namedJettonWallets } from './jetton-wallets';
import { readNftItem } from './nft-items';
import { readJettonMaster } from './observations/jetton-master';

/** What the messages of a transaction say of the contracts (raw) that they come from or go to, which may be wrong. */
export interface NamedContracts {
  readonly jettonWallets: readonly string[];
  readonly nftItems: readonly string[];
  readonly jettonMasters: readonly string[];
  /** All of them, among which there may be such that are known by their address. */
  readonly parties: readonly string[];
  /** Those that are asked what they take of a deposit, if they are pools. Default: none. */
  readonly depositsTo?: readonly string[];
}

interface VerifiedNames extends VerifiedContracts {
  readonly depositFees?: DepositFees;
}

/**
 * Which of them are what they are said to be, as of a masterchain block; null: the newest one.
 * @throws Error when the source does not answer
 */
export type VerifyContracts = (named: NamedContracts, seqno: number | null) => Promise<VerifiedNames>;

const MAX_CACHED = 50_000;
/** A contract may be deployed or replaced, so it is asked again whether it has become one. */
const NOT_ONE_TTL_MS = 600_000;

/**
 * Verifies jetton wallets by their masters, NFT items by their collections (an item of none, and a jetton master, by itself),
 * and staking contracts by their addresses, each of which is the hash of a contract's first code and data: another one
 * may answer as a pool does, and keep what it is sent.
 * @param pools raw, beside those that are known to everybody
 */
export function createContractVerifier(
  client: Pick<TonClient, 'getLastBlock' | 'runMethod'>,
  network: TonNetwork,
  pools: readonly string[],
): VerifyContracts {
  const verifyJettonWallets = createJettonWalletVerifier(client);
  const known: KnownContracts = {
    ...Object.fromEntries(pools.map(pool => [pool, 'staking_pool'] as const)),
    ...KNOWN_CONTRACTS[network],
  };
  const areItems = rememberedFor(
    async (seqno, address) => (await readNftItem(client, seqno, address)) !== null,
  );
  const areMasters = rememberedFor(
    async (seqno, address) => (await readJettonMaster(client, seqno, address)) !== null,
  );

  const fees = createDepositFees(client, known);

  return async ({ jettonWallets, nftItems, jettonMasters, parties, depositsTo = [] }, seqno) => {
    const pools = depositsTo.filter(fees.isPool);
    const isAsked = nftItems.length > 0 || jettonMasters.length > 0 || pools.length > 0;
    const at = seqno ?? (isAsked ? (await client.getLastBlock()).seqno : 0);
    const contracts: Record<string, KnownContracts[string]> = {};
    const wallets: JettonWallets =
      jettonWallets.length === 0 ? {} : await verifyJettonWallets(jettonWallets, seqno);
    // What is a jetton wallet is nothing else, and most are named by what they return of coins.
    const isOther = (address: string): boolean => !wallets[address] && !known[address];
    const [masters, items] = await Promise.all([
      areMasters(jettonMasters.filter(isOther), at),
      areItems(nftItems.filter(isOther), at),
    ]);
    for (const master of masters) contracts[master] = 'jetton_master';
    for (const item of items) contracts[item] = 'nft_item';
    return {
      jettonWallets: wallets,
      contracts: { ...contracts, ...contractsAmong(known, parties) },
      ...(pools.length > 0 && { depositFees: await fees.of(pools, at) }),
    };
  };
}

/** Those of some contracts (raw) that are of a kind, which are asked once, and others once a block. */
function rememberedFor(
  read: (seqno: number, address: string) => Promise<boolean>,
): (addresses: readonly string[], seqno: number) => Promise<string[]> {
  const known = new LRUCache<string, true>(atMost(MAX_CACHED));
  const others = new LRUCache<string, true>({ ...atMost(MAX_CACHED), ttl: NOT_ONE_TTL_MS });
  const isOne = async (address: string, seqno: number): Promise<boolean> => {
    const inBlock = `${address}/${seqno}`;
    if (known.has(address)) return true;
    if (others.has(inBlock)) return false;
    const found = await read(seqno, address);
    if (found) known.set(address, true);
    else others.set(inBlock, true);
    return found;
  };
  return async (addresses, seqno) => {
    const found = await Promise.all(addresses.map(address => isOne(address, seqno)));
    return addresses.filter((_address, at) => found[at]);
  };
}

/** The contracts that the messages of a transaction name. */
export function namedContracts(transaction: TonTransaction): NamedContracts {
  const { inMessage, outMessages, unsent } = transaction;
  const [nftItems, jettonMasters] = [new Set<string>(), new Set<string>()];
  for (const { info, jetton, nft } of [...(inMessage ? [inMessage] : []), ...outMessages, ...unsent]) {
    if (info.type !== 'internal') continue;
    if (jetton?.type === 'excesses') {
      nftItems.add(info.src);
      jettonMasters.add(info.src);
    }
    if (nft) nftItems.add(nft.type === 'transfer' ? info.dest : info.src);
  }
  return {
    jettonWallets: namedJettonWallets(transaction),
    nftItems: [...nftItems],
    jettonMasters: [...jettonMasters],
    parties: accountsNamedIn(transaction),
  };
}
