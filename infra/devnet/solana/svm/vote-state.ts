import type { StoredAccount } from './account';
import { base58 } from './base58';
import { VOTE } from './programs';

/** The size of every vote account. */
export const VOTE_ACCOUNT_BYTES = 3762;

const V3 = 2;
const V4 = 3;

export interface VoteAccount {
  /** The identity of the validator that votes. */
  readonly node: string;
  /** Percent. */
  readonly commission: number;
}

/**
 * A vote account; null for anything else. Layout: a u32 version, then `VoteStateV3` or `VoteStateV4` of
 * https://github.com/anza-xyz/solana-sdk/tree/master/vote-interface/src/state
 */
export function readVoteAccount({ owner, data }: StoredAccount): VoteAccount | null {
  if (!owner.equals(VOTE.bytes) || data.length < VOTE_ACCOUNT_BYTES) return null;
  const version = data.readUInt32LE(0);
  if (version !== V3 && version !== V4) return null;
  return {
    node: base58(data.subarray(4, 36)),
    commission: version === V3 ? data.readUInt8(68) : Math.floor(data.readUInt16LE(132) / 100),
  };
}

/** The data of a vote account that has not voted. */
export function voteAccountData(
  { node, withdrawer }: { readonly node: Buffer; readonly withdrawer: Buffer },
  voteAccount: Buffer,
  commission: number,
): Buffer {
  const data = Buffer.alloc(VOTE_ACCOUNT_BYTES);
  data.writeUInt32LE(V4, 0);
  node.copy(data, 4);
  withdrawer.copy(data, 36);
  voteAccount.copy(data, 68); // collects inflation rewards
  node.copy(data, 100); // collects block revenue
  data.writeUInt16LE(commission * 100, 132);
  data.writeUInt16LE(10_000, 134);
  data.writeBigUInt64LE(1n, 154); // authorised voters: one, from epoch 0 on
  node.copy(data, 170);
  return data;
}
