import { z } from 'zod';
import type { SolanaNetwork } from '../network/network';

/** Addresses and signatures are base58. */
export interface SolanaAccountSubject {
  readonly network: SolanaNetwork;
  readonly address: string;
}

export interface SolanaSignatureSubject {
  readonly network: SolanaNetwork;
  readonly signature: string;
}

/** Data of `solana.account`, the account without its data. One that does not exist is owned by the System Program. */
export const solanaAccountObserved = z.object({
  /** Lamports, decimal. */
  balance: z.string().regex(/^\d+$/),
  /** The program that owns the account. */
  owner: z.string(),
  executable: z.boolean(),
  /** 2^64 - 1, which a number holds as 18446744073709552000, for accounts that pay no rent: all of today. */
  rentEpoch: z.number(),
  /** Bytes of its data. */
  space: z.int().min(0),
});
export type SolanaAccountObserved = z.infer<typeof solanaAccountObserved>;

const text = z.string().nullish();

/** A token that an account owns; `amount` and `supply` are decimal strings of the smallest unit. */
export const solanaToken = z.object({
  /** The mint. */
  address: z.string(),
  symbol: z.string(),
  name: z.string(),
  decimals: z.number(),
  /** As token lists number clusters: 101 mainnet, 103 devnet. */
  chainId: z.number(),
  amount: z.string(),
  /** As a double; null when it is beyond that. */
  uiAmount: z.number().nullish(),
  /** What the token program shows: with the interest or the multiplier of a Token-2022 mint at the time of the chain. */
  uiAmountString: text,
  logoURI: text,
  tags: z.array(z.string()).nullish(),
  extensions: z.object({ blog: text, coingeckoId: text, serumV3Usdt: text, website: text }).nullish(),
  mintAuthority: text,
  freezeAuthority: text,
  supply: text,
  isInitialized: z.boolean().nullish(),
});

export type SolanaToken = z.infer<typeof solanaToken>;

/** Data of `solana.tokens`: one for each mint, however many accounts hold it. */
export const solanaTokensObserved = z.object({ tokens: z.array(solanaToken) });
export type SolanaTokensObserved = z.infer<typeof solanaTokensObserved>;

/** The status of a transaction as `getSignatureStatuses` returns it. */
export const solanaSignatureStatus = z.object({
  slot: z.number(),
  /** Blocks on top of the one that includes it; null once it is final. */
  confirmations: z.number().nullable(),
  err: z.unknown(),
  confirmationStatus: z.enum(['processed', 'confirmed', 'finalized']).nullable(),
});

/** Data of `solana.signature`; null when no node knows the signature. */
export type SolanaSignatureStatus = z.infer<typeof solanaSignatureStatus> | null;
