import { VOTE_PROGRAM } from './programs';
import { accountKeys, type RawTokenBalance, type RawTransaction } from './raw';

/** Whose transactions are wanted: those of a set of accounts, or of everyone a transaction signs for or changes. */
export type Scope = 'all' | { has(account: string): boolean };

/** Consensus votes: a quarter of a block and of no interest to a wallet. */
export function isVote({ transaction: { message } }: RawTransaction): boolean {
  const only = message.instructions[0];
  return message.instructions.length === 1 && message.accountKeys[only!.programIdIndex] === VOTE_PROGRAM;
}

/**
 * The accounts of the scope that a transaction concerns. An owner is concerned by what happens to its token accounts
 * although transfers to them do not mention it. This runs over every transaction of the chain, so it looks at keys only.
 */
export function concerned(raw: RawTransaction, scope: Scope): string[] {
  return scope === 'all' ? everyone(raw) : watched(raw, scope);
}

function watched(raw: RawTransaction, scope: { has(account: string): boolean }): string[] {
  const found: string[] = [];
  const look = (account: string | undefined): void => {
    if (account !== undefined && scope.has(account) && !found.includes(account)) found.push(account);
  };
  raw.transaction.message.accountKeys.forEach(look);
  raw.meta?.loadedAddresses?.writable.forEach(look);
  raw.meta?.loadedAddresses?.readonly.forEach(look);
  for (const balance of raw.meta?.preTokenBalances ?? []) look(balance.owner);
  for (const balance of raw.meta?.postTokenBalances ?? []) look(balance.owner);
  return found;
}

function everyone(raw: RawTransaction): string[] {
  const { meta, transaction } = raw;
  const keys = accountKeys(raw);
  const found = new Set(keys.slice(0, transaction.message.header.numRequiredSignatures));
  meta?.preBalances.forEach((lamports, i) => lamports !== meta.postBalances[i] && found.add(keys[i]!));
  const before = meta?.preTokenBalances ?? [];
  const after = meta?.postTokenBalances ?? [];
  for (const [balances, others] of [
    [before, after],
    [after, before],
  ] as const)
    for (const balance of balances) {
      if (others.some(other => isSame(balance, other))) continue;
      found.add(keys[balance.accountIndex]!);
      if (balance.owner !== undefined) found.add(balance.owner);
    }
  return [...found];
}

const isSame = (one: RawTokenBalance, other: RawTokenBalance): boolean =>
  one.accountIndex === other.accountIndex &&
  one.uiTokenAmount.amount === other.uiTokenAmount.amount &&
  one.owner === other.owner &&
  one.mint === other.mint;
