import { decodeBase58 } from '../../../contracts/encoding/base58';
import { MEMO_PROGRAMS } from '../../../contracts/chain/solana-memo';
import type { EnhancedTransaction } from '../../../contracts/chain/solana-transaction';
import { accountKey, type SolanaNetwork } from '../../../contracts/network/network';
import type { Payment } from './payment';

/**
 * The payments of a transaction to an account, from its balance changes: SOL and each token. The transaction must have
 * exactly one memo; several could claim one amount for two fees.
 */
export function solanaPayments(
  network: SolanaNetwork,
  address: string,
  { signature, transactionError, instructions, accountData }: EnhancedTransaction,
): Payment[] {
  if (transactionError !== null) return [];
  const [memo, another] = instructions.flatMap(memosIn);
  if (memo === undefined || another !== undefined) return [];
  const account = accountKey({ chain: 'solana', network, address });
  return [...received(address, accountData)]
    .filter(([, amount]) => amount > 0n)
    .map(([asset, amount]) => ({
      account,
      transaction: signature,
      asset,
      amount: amount.toString(),
      memo: memo.trim(),
    }));
}

function received(address: string, changes: EnhancedTransaction['accountData']): Map<string, bigint> {
  const amounts = new Map<string, bigint>();
  for (const { account, nativeBalanceChange, tokenBalanceChanges } of changes) {
    // A change beyond 2^53 has lost digits in the node's JSON.
    if (account === address && Number.isSafeInteger(nativeBalanceChange))
      amounts.set('native', BigInt(nativeBalanceChange));
    for (const { userAccount, mint, rawTokenAmount } of tokenBalanceChanges)
      if (userAccount === address)
        amounts.set(mint, (amounts.get(mint) ?? 0n) + BigInt(rawTokenAmount.tokenAmount));
  }
  return amounts;
}

interface Call {
  readonly programId: string;
  readonly data: string;
  readonly innerInstructions?: readonly Call[] | undefined;
}

function memosIn({ programId, data, innerInstructions = [] }: Call): string[] {
  const own = MEMO_PROGRAMS.includes(programId) ? [Buffer.from(decodeBase58(data) ?? []).toString()] : [];
  return [...own, ...innerInstructions.flatMap(memosIn)];
}
