import type { AccountChange, TokenBalanceChange } from '../../../contracts/chain/solana-transaction';
import type { RawMeta, RawTokenBalance } from '../raw';
import { formatUnits } from '../../../contracts/money/decimal';

/** How the tokens of one account and mint changed, by the node's balances. */
export interface TokenDelta {
  readonly account: string;
  /** Its index among the accounts of the transaction. */
  readonly index: number;
  readonly mint: string;
  /** Empty in blocks before 2021. */
  readonly owner: string;
  readonly decimals: number;
  readonly amount: bigint;
}

export interface BalanceChanges {
  /** Lamports, in the order of the accounts; that of the payer includes the fee. */
  readonly lamports: readonly number[];
  /**
   * Of every token account, changed or not. One that was closed and created again for another token has one of each mint;
   * one that got another owner has one of each, first that of the owner before.
   */
  readonly tokens: readonly TokenDelta[];
}

/** Decimals are one byte. */
const MAX_DECIMALS = 255;

/** The balances after a transaction less those before it. */
export function balanceChanges(meta: RawMeta, keys: readonly string[]): BalanceChanges {
  return { lamports: lamportChanges(meta), tokens: tokenChanges(meta, keys) };
}

/**
 * A balance beyond 2^53 has lost digits in the node's JSON. The lamports of a transaction add up to its fee, so the change
 * of one such account follows from the others.
 */
function lamportChanges({ preBalances, postBalances, fee }: RawMeta): number[] {
  if (!Number.isInteger(fee) || !preBalances.every(Number.isInteger) || !postBalances.every(Number.isInteger))
    throw new Error('balance that is no integer');
  const changes = postBalances.map((after, i) => after - preBalances[i]!);
  const isExact = (_: number, i: number): boolean =>
    Number.isSafeInteger(preBalances[i]) && Number.isSafeInteger(postBalances[i]);
  if (changes.every(isExact)) return changes;
  const inexact = changes.findIndex((change, i) => !isExact(change, i));
  if (changes.some((change, i) => i !== inexact && !isExact(change, i))) return changes;
  const others = changes.reduce((sum, change, i) => (i === inexact ? sum : sum + change), 0);
  return changes.with(inexact, -fee - others);
}

interface Change {
  readonly balance: RawTokenBalance;
  readonly before: string;
  after: string;
}

function tokenChanges(
  { preTokenBalances, postTokenBalances }: RawMeta,
  keys: readonly string[],
): TokenDelta[] {
  const changes: Change[] = (preTokenBalances ?? []).map(balance => ({
    balance,
    before: checked(balance, keys).uiTokenAmount.amount,
    after: '0',
  }));
  let byKey: Map<string, Change> | null = null;
  const find = (balance: RawTokenBalance): Change => {
    byKey ??= new Map(changes.map(change => [keyOf(change.balance), change]));
    const known = byKey.get(keyOf(balance));
    if (known) return known;
    const change = { balance, before: '0', after: '0' };
    byKey.set(keyOf(balance), change);
    changes.push(change);
    return change;
  };
  for (const [i, balance] of (postTokenBalances ?? []).entries()) {
    const { amount } = checked(balance, keys).uiTokenAmount;
    const before = changes[i];
    // Most transactions have the same token accounts before and after, in the same order.
    const change = before && isSame(before.balance, balance) ? before : find(balance);
    change.after = amount;
  }
  return changes.map(({ balance, before, after }) => ({
    account: keys[balance.accountIndex]!,
    index: balance.accountIndex,
    mint: balance.mint,
    owner: balance.owner ?? '',
    decimals: balance.uiTokenAmount.decimals,
    amount: before === after ? 0n : BigInt(after) - BigInt(before),
  }));
}

const keyOf = ({ accountIndex, mint, owner }: RawTokenBalance): string => `${accountIndex}/${mint}/${owner}`;

const isSame = (one: RawTokenBalance, other: RawTokenBalance): boolean =>
  one.accountIndex === other.accountIndex && one.mint === other.mint && one.owner === other.owner;

/** @throws Error when a field is missing or of another type */
function checked(balance: RawTokenBalance, keys: readonly string[]): RawTokenBalance {
  const { accountIndex, mint, owner = '', uiTokenAmount } = balance;
  if (typeof keys[accountIndex] !== 'string')
    throw new Error(`token balance of account ${accountIndex} of ${keys.length}`);
  if (typeof mint !== 'string' || typeof owner !== 'string')
    throw new Error('token balance of no mint or owner');
  const { amount, decimals } = uiTokenAmount;
  if (typeof amount !== 'string') throw new Error('token balance without amount');
  if (!(Number.isInteger(decimals) && decimals >= 0 && decimals <= MAX_DECIMALS))
    throw new Error(`${decimals} decimals`);
  return balance;
}

/** The changes as wallets read them, of every account of the transaction. */
export function accountChanges(
  keys: readonly string[],
  { lamports, tokens }: BalanceChanges,
): AccountChange[] {
  const changes = keys.map((account, i) => ({
    account,
    nativeBalanceChange: lamports[i]!,
    tokenBalanceChanges: [] as TokenBalanceChange[],
  }));
  for (const delta of tokens)
    if (delta.amount !== 0n) changes[delta.index]!.tokenBalanceChanges.push(tokenBalanceChange(delta));
  return changes;
}

function tokenBalanceChange({ account, mint, owner, decimals, amount }: TokenDelta): TokenBalanceChange {
  const uiAmountString = formatUnits(amount, decimals);
  return {
    userAccount: owner,
    tokenAccount: account,
    mint,
    rawTokenAmount: {
      amount: Number(amount),
      tokenAmount: amount.toString(),
      decimals,
      uiAmount: Number(uiAmountString),
      uiAmountString,
    },
  };
}
