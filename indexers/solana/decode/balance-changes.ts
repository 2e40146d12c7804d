import type { AccountChange, TokenBalanceChange } from '../../../contracts/chain/solana-transaction';
import type { RawTokenBalance, RawTransaction } from '../raw';
import { wholeTokens } from './amount';

/** The balance changes of each account of a transaction, from the balances before and after it. */
export function accountChanges({ meta }: RawTransaction, keys: readonly string[]): AccountChange[] {
  const tokens = tokenChanges(meta?.preTokenBalances ?? [], meta?.postTokenBalances ?? [], keys);
  return keys.map((account, i) => ({
    account,
    nativeBalanceChange: (meta?.postBalances[i] ?? 0) - (meta?.preBalances[i] ?? 0),
    tokenBalanceChanges: tokens.get(i) ?? [],
  }));
}

function tokenChanges(
  before: readonly RawTokenBalance[],
  after: readonly RawTokenBalance[],
  keys: readonly string[],
): Map<number, TokenBalanceChange[]> {
  // An account may be closed and created again for another token: one change per account and mint.
  const deltas = new Map<string, { balance: RawTokenBalance; delta: bigint }>();
  const add = (balance: RawTokenBalance, sign: bigint): void => {
    const key = `${balance.accountIndex}/${balance.mint}`;
    const amount = sign * BigInt(balance.uiTokenAmount.amount);
    deltas.set(key, { balance, delta: (deltas.get(key)?.delta ?? 0n) + amount });
  };
  for (const balance of before) add(balance, -1n);
  for (const balance of after) add(balance, 1n);

  const changes = new Map<number, TokenBalanceChange[]>();
  for (const { balance, delta } of deltas.values()) {
    if (delta === 0n) continue;
    const list = changes.get(balance.accountIndex) ?? [];
    changes.set(balance.accountIndex, [...list, change(balance, delta, keys)]);
  }
  return changes;
}

function change(balance: RawTokenBalance, delta: bigint, keys: readonly string[]): TokenBalanceChange {
  const { decimals } = balance.uiTokenAmount;
  const uiAmountString = wholeTokens(delta, decimals);
  return {
    userAccount: balance.owner ?? '',
    tokenAccount: keys[balance.accountIndex]!,
    mint: balance.mint,
    rawTokenAmount: {
      amount: Number(delta),
      tokenAmount: delta.toString(),
      decimals,
      uiAmount: Number(uiAmountString),
      uiAmountString,
    },
  };
}
