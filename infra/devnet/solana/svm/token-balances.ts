import type { StoredAccount } from './account';
import { base58 } from './base58';
import type { Engine, TouchedAccount } from './engine';
import { isRescaled, readHolding, readMint, uiTokenAmount, type UiTokenAmount } from './token-state';

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

/** An amount of a mint as the RPC shows it now; null when there is no such mint. */
export type UiAmounts = (mint: string, amount: bigint) => UiTokenAmount | null;

/** Of a mint that bears interest or has a multiplier, the amount that the program shows. */
export function uiAmountsOf(engine: Engine): UiAmounts {
  return (address, amount) => {
    const account = engine.account(address);
    const mint = account && readMint(account);
    if (!mint) return null;
    const shown = uiTokenAmount(amount, mint.decimals);
    const uiAmountString = isRescaled(account) ? engine.uiAmount(address, amount) : null;
    return uiAmountString === null ? shown : { ...shown, uiAmount: Number(uiAmountString), uiAmountString };
  };
}

/**
 * Token balances before or after a transaction, as in `preTokenBalances` and `postTokenBalances`. The ledger shows amounts by
 * their decimals alone, whatever the mint makes of them.
 */
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
