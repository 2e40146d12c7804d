import { z } from 'zod';

const call = { accounts: z.array(z.string()), data: z.string(), programId: z.string() };
const deepest = z.object(call);
const second = z.object({ ...call, innerInstructions: z.array(deepest).optional() });
const first = z.object({ ...call, innerInstructions: z.array(second).optional() });

/** An instruction with its inner instructions, three levels deep; `data` is base58. */
const enhancedInstruction = z.object({ ...call, innerInstructions: z.array(first) });

/**
 * What happened to the tokens. All but a transfer have one token account only:
 * - `transfer`: from one token account to another; on both sides is the same one when it was given to another owner
 * - `mint`, `burn`
 * - `fee`: withheld by a Token-2022 mint from a transfer, beside what its receiver got
 * - `fee-withdrawal`: fees withheld before, paid out by the authority of the mint
 * - `wrap`, `unwrap`: SOL of the account became tokens, or the reverse
 * - `confidential-deposit`, `confidential-withdrawal`: to or from the encrypted balance of the account
 * - `confidential-transfer`: between two encrypted balances; `tokenAmount` is 0, since the amount is secret
 * - `unexplained`: the node's balances say so, and no instruction of a known program does
 */
const tokenTransferKind = z.enum([
  'transfer',
  'mint',
  'burn',
  'fee',
  'fee-withdrawal',
  'wrap',
  'unwrap',
  'confidential-deposit',
  'confidential-withdrawal',
  'confidential-transfer',
  'unexplained',
]);

/**
 * Tokens that left or reached a token account; the other side is `''` when there is none. `tokenAmount` is in whole tokens by
 * the decimals of the mint alone, as in the ledger of a node: it does not have the interest or multiplier of that time.
 * Those of a token account add up to the change of its balance.
 */
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
  kind: tokenTransferKind,
});

/**
 * Lamports, rent included, that one account of a transaction gave another; `''` when it is none of its accounts. Those of
 * an account add up to its `nativeBalanceChange`, but for the fee of the payer.
 */
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
 * The purpose of a transaction, by Helius' names:
 * - `TRANSFER`: of SOL or tokens, wrapping included
 * - `TOKEN_MINT`, `BURN`
 * - `SWAP`: the payer gave one asset and got another, or an exchange moved several
 * - `CREATE_ACCOUNT`, `CLOSE_ACCOUNT`: and nothing else
 * - `INIT_STAKE`, `STAKE_SOL` (delegated), `UNSTAKE_SOL` (deactivated), `SPLIT_STAKE`, `MERGE_STAKE`
 * - `DEPOSIT`: to a confidential balance
 * - `WITHDRAW`: from a stake or vote account, a confidential balance, or of withheld fees
 * - `UNKNOWN`: any other, and all that failed
 */
const transactionType = z.enum([
  'TRANSFER',
  'TOKEN_MINT',
  'BURN',
  'SWAP',
  'CREATE_ACCOUNT',
  'CLOSE_ACCOUNT',
  'INIT_STAKE',
  'STAKE_SOL',
  'UNSTAKE_SOL',
  'SPLIT_STAKE',
  'MERGE_STAKE',
  'DEPOSIT',
  'WITHDRAW',
  'UNKNOWN',
]);

/**
 * A Solana transaction as wallets show it: fee payer, transfers, balance changes.
 * The format is Helius' enhanced transaction; numbers that may exceed 2^53 have an exact decimal string beside them.
 * `timestamp` is in seconds, 0 when the block has no time.
 */
export const enhancedTransaction = z.object({
  description: z.string(),
  type: transactionType,
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
export type TransactionType = z.infer<typeof transactionType>;
export type TokenTransfer = z.infer<typeof tokenTransfer>;
export type TokenBalanceChange = z.infer<typeof tokenBalanceChange>;
export type AccountChange = z.infer<typeof accountChange>;
export type EnhancedTransaction = z.infer<typeof enhancedTransaction>;
