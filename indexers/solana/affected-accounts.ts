import { decodeBase58 } from '../../contracts/base58';
import { VOTE_PROGRAM } from './programs';
import { accountKeys, type RawTokenBalance, type RawTransaction } from './raw';

/** The accounts whose transactions are read: a set, or every account. */
export type Scope = 'all' | { has(account: string): boolean };

/**
 * Instructions of `VoteInstruction` (bincode, u32 tag) by which a validator votes: Vote, VoteSwitch, UpdateVoteState and
 * CompactUpdateVoteState, TowerSync, and the Switch form of each.
 */
const CONSENSUS_VOTES: ReadonlySet<number> = new Set([2, 6, 8, 9, 12, 13, 14, 15]);

/**
 * True for a transaction of nothing but a consensus vote: a quarter of a block, irrelevant to wallets. Everything else that
 * the vote program does, such as a withdrawal, is not one.
 */
export function isConsensusVote({ transaction: { message } }: RawTransaction): boolean {
  const only = message.instructions[0];
  if (message.instructions.length !== 1 || message.accountKeys[only!.programIdIndex] !== VOTE_PROGRAM)
    return false;
  const bytes = decodeBase58(only!.data);
  if (!bytes || bytes.length < 4) return false;
  return CONSENSUS_VOTES.has(new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true));
}

/**
 * The accounts of the scope that a transaction affects: those that it mentions, and the owners of token accounts, which a
 * transfer to these does not mention. Without a scope, of a successful one only those that sign it or are changed; one that
 * failed changed nothing, so all that it mentions. Called for every transaction of the chain, so it does not decode.
 */
export function affectedAccounts(raw: RawTransaction, scope: Scope): string[] {
  if (scope !== 'all') return mentionedOf(raw, scope);
  const err = raw.meta?.err;
  return err === null || err === undefined ? signersAndChanged(raw) : [...new Set(accountKeys(raw))];
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
