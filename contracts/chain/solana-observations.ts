import { z } from 'zod';

/** Kinds of observations of Solana; the subject is `solana:<network>:` and the address or signature. */
export const SOLANA_ACCOUNT = 'solana.account';
export const SOLANA_TOKENS = 'solana.tokens';
export const SOLANA_SIGNATURE = 'solana.signature';

/** Data of `solana.account`. */
export interface SolanaAccountObserved {
  /** Lamports, decimal. */
  readonly balance: string;
}

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
  uiAmount: z.number().nullish(),
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

/** Data of `solana.tokens`: one for each mint, whatever number of accounts holds it. */
export interface SolanaTokensObserved {
  readonly tokens: readonly SolanaToken[];
}

/** What `getSignatureStatuses` says of a transaction. */
export const solanaSignatureStatus = z.object({
  slot: z.number(),
  /** Blocks on top of its own; null once it is final. */
  confirmations: z.number().nullable(),
  err: z.unknown(),
  confirmationStatus: z.enum(['processed', 'confirmed', 'finalized']).nullable(),
});

/** Data of `solana.signature`; null when no node knows the signature. */
export type SolanaSignatureStatus = z.infer<typeof solanaSignatureStatus> | null;
