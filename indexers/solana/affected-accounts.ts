import { VOTE_PROGRAM } from './programs';
import { accountKeys, type RawTokenBalance, type RawTransaction } from './raw';

/** The accounts whose transactions are read: a set, or every account that signs or is changed. */
export type Scope = 'all' | { has(account: string): boolean };

/** Consensus votes: a quarter of a block, irrelevant to wallets. */
export function isVote({ transaction: { message } }: RawTransaction): boolean {
  const only = message.instructions[0];
  return message.instructions.length === 1 && message.accountKeys[only!.programIdIndex] === VOTE_PROGRAM;
}

/**
 * The accounts of the scope that a transaction affects. An owner is affected by changes of its token accounts, although
 * transfers to them do not mention it. Called for every transaction of the chain, so it does not decode.
 */
export function affectedAccounts(raw: RawTransaction, scope: Scope): string[] {
  return scope === 'all' ? signersAndChanged(raw) : mentionedOf(raw, scope);
}

function mentionedOf(raw: RawTransaction, scope: { has(account: string): boolean }): string[] {
  const found: string[] = [];
  const add = (account: string | undefined): void => {
    if (account !== undefined && scope.has(account) && !found.includes(account)) found.push(account);
  };
  raw.transaction.message.accountKeys.forEach(add);
  raw.meta?.loadedAddresses?.writable.forEach(add);
  raw.meta?.loadedAddresses?.readonly.forEach(add);
  for (const balance of raw.meta?.preTokenBalances ?? []) add(balance.owner);
  for (const balance of raw.meta?.postTokenBalances ?? []) add(balance.owner);
  return found;
}

function signersAndChanged(raw: RawTransaction): string[] {
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
