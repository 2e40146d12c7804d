import { encodeBase58 } from '../../contracts/encoding/base58';
import { VOTE_PROGRAM } from './programs';
import { accountKeys, type RawTokenBalance, type RawTransaction } from './raw';

/** The accounts whose transactions are read: a set, or every account. */
export type Scope = 'all' | { has(account: string): boolean };

/**
 * Instructions of `VoteInstruction` (bincode, u32 tag) by which a validator votes: Vote, VoteSwitch, UpdateVoteState and
 * CompactUpdateVoteState, TowerSync, and the Switch form of each.
 */
const CONSENSUS_VOTES = [2, 6, 8, 9, 12, 13, 14, 15];
/** Characters; a vote of 31 slots is a third of it. */
const MAX_VOTE_CHARACTERS = 600;

/**
 * True for a transaction of nothing but a consensus vote: a quarter of a block, irrelevant to wallets. Everything else that
 * the vote program does, such as a withdrawal, is not one.
 */
export function isConsensusVote({ transaction: { message } }: RawTransaction): boolean {
  const only = message.instructions[0];
  if (message.instructions.length !== 1 || message.accountKeys[only!.programIdIndex] !== VOTE_PROGRAM)
    return false;
  const { data } = only!;
  return (
    data.length <= MAX_VOTE_CHARACTERS &&
    votesOf(data.length).some(([first, last]) => first <= data && data <= last)
  );
}

type Bounds = readonly [first: string, last: string];
const votes = new Map<number, readonly Bounds[]>();

/**
 * The first and last base58 text of that length that each kind of vote may be. Texts of one length sort as their bytes do,
 * which saves decoding thousands of votes a second.
 */
function votesOf(length: number): readonly Bounds[] {
  const known = votes.get(length);
  if (known) return known;
  const found: Bounds[] = [];
  const minBytes = Math.max(4, Math.floor((length - 1) * BYTES_PER_CHARACTER));
  for (let bytes = minBytes; bytes <= Math.ceil(length * BYTES_PER_CHARACTER); bytes++)
    for (const tag of CONSENSUS_VOTES) {
      const [first, last] = [0, 0xff].map(fill =>
        encodeBase58(Buffer.concat([Buffer.of(tag, 0, 0, 0), Buffer.alloc(bytes - 4, fill)])),
      ) as [string, string];
      if (first.length === length || last.length === length)
        found.push([
          first.length === length ? first : '1'.repeat(length),
          last.length === length ? last : 'z'.repeat(length),
        ]);
    }
  votes.set(length, found);
  return found;
}

const BYTES_PER_CHARACTER = Math.log(58) / Math.log(256);

/**
 * The accounts of the scope that a transaction affects: those that it mentions, and the owners of token accounts, which a
 * transfer to these does not mention. Without a scope, of a successful one only those that sign it or are changed; one that
 * failed changed nothing, so all that it mentions. Called for every transaction of the chain, so it does not decode.
 */
export function affectedAccounts(raw: RawTransaction, scope: Scope): string[] {
  if (scope !== 'all') return mentionedOf(raw, scope);
  const err = raw.meta?.err;
  return err === null || err === undefined ? signersAndChanged(raw) : [...accountKeys(raw)];
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
