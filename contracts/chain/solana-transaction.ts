import { z } from 'zod';

const call = { accounts: z.array(z.string()), data: z.string(), programId: z.string() };
const deepest = z.object(call);
const second = z.object({ ...call, innerInstructions: z.array(deepest).optional() });
const first = z.object({ ...call, innerInstructions: z.array(second).optional() });

/** An instruction with its inner instructions, three levels deep; `data` is base58. */
const enhancedInstruction = z.object({ ...call, innerInstructions: z.array(first) });

/** Between two owners; one of them is `''` when tokens are minted or burnt. `tokenAmount` is in whole tokens. */
const tokenTransfer = z.object({
  fromTokenAccount: z.string(),
  toTokenAccount: z.string(),
  fromUserAccount: z.string(),
  toUserAccount: z.string(),
  mint: z.string(),
  tokenStandard: z.string(),
  tokenAmount: z.number(),
  /** The same in the smallest unit, exactly. */
  rawAmount: z.string(),
});

/** `amount` is in lamports. */
const nativeTransfer = z.object({
  fromUserAccount: z.string(),
  toUserAccount: z.string(),
  amount: z.number(),
});

/** How a transaction changed one token account; `rawTokenAmount.amount` is signed and in the smallest unit. */
const tokenBalanceChange = z.object({
  userAccount: z.string(),
  tokenAccount: z.string(),
  mint: z.string(),
  rawTokenAmount: z.object({
    amount: z.number(),
    /** `amount`, exactly. */
    tokenAmount: z.string(),
    decimals: z.number(),
    uiAmount: z.number(),
    uiAmountString: z.string(),
  }),
});

const accountChange = z.object({
  account: z.string(),
  nativeBalanceChange: z.number(),
  tokenBalanceChanges: z.array(tokenBalanceChange),
});

/**
 * A Solana transaction as wallets show it: fee payer, transfers, balance changes.
 * The format is Helius' enhanced transaction; numbers that may exceed 2^53 have an exact decimal string beside them.
 * `timestamp` is in seconds, 0 when the block has no time.
 */
export const enhancedTransaction = z.object({
  description: z.string(),
  type: z.string(),
  source: z.string(),
  feePayer: z.string(),
  signature: z.string(),
  /** Lamports. */
  fee: z.number(),
  slot: z.number(),
  timestamp: z.number(),
  tokenTransfers: z.array(tokenTransfer),
  nativeTransfers: z.array(nativeTransfer),
  accountData: z.array(accountChange),
  /** The error that the chain reports; null when the transaction succeeded. */
  transactionError: z.string().nullable(),
  instructions: z.array(enhancedInstruction),
});

export type EnhancedInstruction = z.infer<typeof enhancedInstruction>;
export type TokenTransfer = z.infer<typeof tokenTransfer>;
export type TokenBalanceChange = z.infer<typeof tokenBalanceChange>;
export type AccountChange = z.infer<typeof accountChange>;
export type EnhancedTransaction = z.infer<typeof enhancedTransaction>;
