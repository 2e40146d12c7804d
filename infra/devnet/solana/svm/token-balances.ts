import type { StoredAccount } from './account';
import { base58 } from './base58';
import type { Engine, TouchedAccount } from './engine';
import { readHolding, readMint, uiTokenAmount } from './token-state';

export type Decimals = (mint: string) => number | null;

interface TokenBalance {
  readonly accountIndex: number;
  readonly mint: string;
  readonly owner: string;
  readonly programId: string;
  readonly uiTokenAmount: unknown;
}

/** Decimals of mints, cached: they never change while a mint exists. */
export function decimalsOf(engine: Engine): Decimals {
  return mint => {
    const account = engine.account(mint);
    return (account && readMint(account)?.decimals) ?? null;
  };
}

/** Token balances before or after a transaction, as in `preTokenBalances` and `postTokenBalances`. */
export function tokenBalances(
  touched: readonly TouchedAccount[],
  side: (entry: TouchedAccount) => StoredAccount | null,
  decimals: Decimals,
): TokenBalance[] {
  return touched.flatMap((entry, accountIndex) => {
    const account = side(entry);
    const holding = account && readHolding(account);
    if (!holding) return [];
    const mint = base58(holding.mint);
    const places = decimals(mint);
    if (places === null) return [];
    const amount = uiTokenAmount(holding.amount, places);
    return [
      {
        accountIndex,
        mint,
        owner: base58(holding.owner),
        programId: base58(account.owner),
        // A validator's ledger omits a zero here; its live accounts do not.
        uiTokenAmount: { ...amount, uiAmount: holding.amount === 0n ? null : amount.uiAmount },
      },
    ];
  });
}
