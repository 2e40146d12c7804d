import { z } from 'zod';

/** Networks by their names in paths and bodies. The test network of Solana is called `devnet`. */
export const TON_NETWORKS = ['mainnet', 'testnet'] as const;
export const SOLANA_NETWORKS = ['mainnet', 'devnet'] as const;

export type TonNetwork = (typeof TON_NETWORKS)[number];
export type SolanaNetwork = (typeof SOLANA_NETWORKS)[number];

/** `global_id` of the networks of TON: configuration parameter 19, which the ids of wallets of version 5 contain. */
export const TON_GLOBAL_IDS: Readonly<Record<TonNetwork, number>> = { mainnet: -239, testnet: -3 };

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
