import type { TonNetwork } from '../network/network';
import type { TonTransaction } from './ton-transaction';
import { USDE_CONTRACTS, type UsdeContracts } from './ton-usde';
import {
  LIQUID_STAKING_POOLS,
  NOMINATOR_POOLS,
  type ContractKind,
  type KnownContracts,
} from './ton-verified-contracts';

function knownOn(network: TonNetwork): KnownContracts {
  const { stakedUsde, vault } = USDE_CONTRACTS[network];
  return {
    ...Object.fromEntries(NOMINATOR_POOLS[network].map(pool => [pool, 'staking_pool'] as const)),
    [LIQUID_STAKING_POOLS[network]]: 'liquid_pool',
    [stakedUsde]: 'staked_usde',
    [vault]: 'usde_vault',
  };
}

/** The contracts that everybody knows by their address (raw), which no other contract can have. */
export const KNOWN_CONTRACTS: Readonly<Record<TonNetwork, KnownContracts>> = {
  mainnet: knownOn('mainnet'),
  testnet: knownOn('testnet'),
};

const ON_ANY_NETWORK: KnownContracts = { ...KNOWN_CONTRACTS.testnet, ...KNOWN_CONTRACTS.mainnet };

/**
 * What is at an address (raw), for who does not know the network: an address is the hash of a contract's first code and data, or
 * exists on local networks alone.
 */
export function kindAt(address: string): ContractKind | undefined {
  return ON_ANY_NETWORK[address];
}

/** The contracts of a vault of USDe (raw), or of the master of its shares. */
export function usdeContractsOf(address: string): UsdeContracts | undefined {
  return Object.values(USDE_CONTRACTS).find(
    ({ vault, stakedUsde }) => vault === address || stakedUsde === address,
  );
}

/** Every account (raw) that the messages of a transaction come from, go to, or name as the other side of a transfer of jettons. */
export function accountsNamedIn({
  inMessage,
  outMessages,
  unsent,
}: Pick<TonTransaction, 'inMessage' | 'outMessages' | 'unsent'>): readonly string[] {
  const parties = new Set<string | null>();
  for (const { info, jetton, staking } of [...(inMessage ? [inMessage] : []), ...outMessages, ...unsent]) {
    if (info.type !== 'internal') continue;
    parties.add(info.src).add(info.dest);
    if (jetton?.type === 'transfer') parties.add(jetton.destination);
    if (staking?.type === 'usde_claim') parties.add(staking.destination);
  }
  return [...parties].filter(party => party !== null);
}

/** Those of the contracts among some addresses (raw). */
export function contractsAmong(known: KnownContracts, addresses: readonly string[]): KnownContracts {
  return Object.fromEntries(
    addresses.flatMap(address => (known[address] ? [[address, known[address]] as const] : [])),
  );
}
