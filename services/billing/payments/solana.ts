import { decodeBase58 } from '../../../contracts/base58';
import { MEMO_PROGRAMS } from '../../../contracts/chain/solana-memo';
import type { EnhancedTransaction } from '../../../contracts/chain/solana-transaction';
import { accountKey, type SolanaNetwork } from '../../../contracts/network';
import type { Payment } from './payment';

/**
 * What a transaction brought to an account in all, by how the balances changed: SOL and each token. It is for the one memo
 * that it bears; with none, or with several, which could claim one amount for two fees, it is for nothing.
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
    // What the node said in more digits than it could is nobody's payment.
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
