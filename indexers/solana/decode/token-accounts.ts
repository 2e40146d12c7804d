import { NATIVE_MINT } from '../programs';
import type { TokenDelta } from './balance-changes';
import type { Effect, TokenMovement } from './effect';

interface TokenAccount {
  readonly mint: string;
  readonly owner: string;
  /** Who had it before, with so many tokens; absent when the transaction gave it to nobody else. */
  readonly previous?: { readonly owner: string; readonly amount: bigint };
}

/** The token accounts that a transaction uses, as far as it names their mint and owner. */
export interface TokenAccounts {
  readonly accounts: ReadonlyMap<string, TokenAccount>;
  /** By mint. */
  readonly decimals: ReadonlyMap<string, number>;
}

/**
 * From the balances before and after, and from the instructions that created accounts: one that is created and closed
 * within the transaction, as wrapped SOL often is, has no balance on either side.
 */
export function tokenAccounts(effects: readonly Effect[], balances: readonly TokenDelta[]): TokenAccounts {
  const accounts = new Map<string, TokenAccount>();
  const decimals = new Map([[NATIVE_MINT, 9]]);
  for (const { account, tokenAccount, tokens } of effects) {
    if (account !== undefined && tokenAccount) accounts.set(account, tokenAccount);
    if (tokens?.mint !== undefined && tokens.decimals !== undefined)
      decimals.set(tokens.mint, tokens.decimals);
  }
  for (const balance of balances) {
    accounts.set(balance.account, balance);
    decimals.set(balance.mint, balance.decimals);
  }
  for (const { account, mint, owner, amount } of balances) {
    const last = accounts.get(account)!;
    // One that was closed is not the same account afterwards.
    if (last.owner === owner || last.mint !== mint || isClosed(account, effects)) continue;
    accounts.set(account, { mint, owner: last.owner, previous: { owner, amount: -amount } });
  }
  return { accounts, decimals };
}

const isClosed = (account: string, effects: readonly Effect[]): boolean =>
  effects.some(({ kind, lamports }) => kind === 'close-account' && lamports?.from === account);

/** The mint of moved tokens; undefined when nothing names it: an old block, or an account of the transaction alone. */
export function mintOf(
  { mint, source, destination }: TokenMovement,
  { accounts }: TokenAccounts,
): string | undefined {
  const of = (account: string | undefined): string | undefined =>
    account === undefined ? undefined : accounts.get(account)?.mint;
  return mint ?? of(source) ?? of(destination);
}
