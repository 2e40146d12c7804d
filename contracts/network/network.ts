import { z } from 'zod';

/** Networks by their names in paths and bodies. The test network of Solana is called `devnet`. */
export const TON_NETWORKS = ['mainnet', 'testnet'] as const;
export const SOLANA_NETWORKS = ['mainnet', 'devnet'] as const;

export type TonNetwork = (typeof TON_NETWORKS)[number];
export type SolanaNetwork = (typeof SOLANA_NETWORKS)[number];

/** `global_id` of the networks of TON: configuration parameter 19, which the ids of wallets of version 5 contain. */
export const TON_GLOBAL_IDS: Readonly<Record<TonNetwork, number>> = { mainnet: -239, testnet: -3 };

/** A network of a chain. */
export type NetworkRef =
  | { readonly chain: 'ton'; readonly network: TonNetwork }
  | { readonly chain: 'solana'; readonly network: SolanaNetwork };

export const NETWORKS: readonly NetworkRef[] = [
  ...TON_NETWORKS.map(network => ({ chain: 'ton', network }) as const),
  ...SOLANA_NETWORKS.map(network => ({ chain: 'solana', network }) as const),
];

/** The network of Solana that wallets use beside one of TON. */
export const SOLANA_BESIDE: Readonly<Record<TonNetwork, SolanaNetwork>> = {
  mainnet: 'mainnet',
  testnet: 'devnet',
};

/** As people read it: `TON testnet`. */
export function networkName({ chain, network }: NetworkRef): string {
  return `${chain === 'ton' ? 'TON' : 'Solana'} ${network}`;
}

/** The networks that an instance serves; the others are off. */
export interface FollowedNetworks {
  readonly ton: readonly TonNetwork[];
  readonly solana: readonly SolanaNetwork[];
}

export const ALL_NETWORKS: FollowedNetworks = { ton: TON_NETWORKS, solana: SOLANA_NETWORKS };

export function isFollowed(followed: FollowedNetworks, { chain, network }: NetworkRef): boolean {
  return (followed[chain] as readonly string[]).includes(network);
}

/** An account of a chain, its address normalised: raw `workchain:hex` on TON, base58 on Solana. */
export type AccountRef =
  | { readonly chain: 'ton'; readonly network: TonNetwork; readonly address: string }
  | { readonly chain: 'solana'; readonly network: SolanaNetwork; readonly address: string };

/** `AccountRef` in JSON. */
export const accountRef = z.discriminatedUnion('chain', [
  z.object({ chain: z.literal('ton'), network: z.enum(TON_NETWORKS), address: z.string() }),
  z.object({ chain: z.literal('solana'), network: z.enum(SOLANA_NETWORKS), address: z.string() }),
]);

/** The key of an account on the log and in document ids, unique across chains and networks. */
export function accountKey({ chain, network, address }: AccountRef): string {
  return `${chain}:${network}:${address}`;
}

/** @param key as `accountKey` makes it */
export function accountOfKey(key: string): AccountRef {
  const [chain, network, ...address] = key.split(':');
  return { chain, network, address: address.join(':') } as AccountRef;
}
