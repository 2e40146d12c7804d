import { isNativeMint } from '../programs';
import type { RawMeta } from '../raw';
import type { Effect } from './effect';
import { pairChanges } from './pair';
import { mintOf, type TokenAccounts } from './token-accounts';

/** Lamports that moved. One side is `''` when no account of the transaction is on it. */
export interface NativeMovement {
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  /** The kind of the instruction that says so; `wrapped`: with tokens of wrapped SOL; null: the balances alone say it. */
  readonly kind: Effect['kind'] | 'wrapped' | null;
}

/**
 * The lamports that moved between the accounts of a successful transaction. Instructions of known programs pair sender and
 * receiver; what they do not explain of the balances is paired after them. So for every account they add up to its change,
 * but for the fee of the payer, which is the first account.
 */
export function nativeMovements(
  { preBalances, fee }: RawMeta,
  keys: readonly string[],
  lamports: readonly number[],
  effects: readonly Effect[],
  accounts: TokenAccounts,
): NativeMovement[] {
  const movements: NativeMovement[] = [];
  const net = new Map<string, bigint>();
  const move = (kind: NativeMovement['kind'], from: string, to: string, amount: bigint): void => {
    // Wallets read it as a number; the balances show such a change too.
    if (kind !== null && amount > Number.MAX_SAFE_INTEGER) return;
    movements.push({ kind, from, to, amount });
    net.set(from, (net.get(from) ?? 0n) - amount);
    net.set(to, (net.get(to) ?? 0n) + amount);
  };
  const balanceOf = (account: string): bigint =>
    BigInt(preBalances[keys.indexOf(account)] ?? 0) + (net.get(account) ?? 0n);

  for (const { kind, lamports: moved, tokens } of effects) {
    if (moved) {
      const amount = moved.amount ?? balanceOf(moved.from);
      if (moved.amount !== null || amount > 0n) move(kind, moved.from, moved.to, amount);
    }
    if (tokens?.source === undefined || tokens.destination === undefined) continue;
    const mint = mintOf(tokens, accounts);
    if (mint !== undefined && isNativeMint(mint))
      move('wrapped', tokens.source, tokens.destination, tokens.amount);
  }
  const unexplained = keys.flatMap((account, i): [string, bigint][] => {
    const change = lamports[i]! + (i === 0 ? fee : 0);
    const explained = net.get(account) ?? 0n;
    if (change === 0 && explained === 0n) return [];
    const rest = BigInt(change) - explained;
    return rest === 0n ? [] : [[account, rest]];
  });
  for (const { from, to, amount } of pairChanges(unexplained)) move(null, from, to, amount);
  return movements;
}
