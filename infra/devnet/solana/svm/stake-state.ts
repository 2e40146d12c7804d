import type { StoredAccount } from './account';
import { base58 } from './base58';
import { STAKE } from './programs';

export const STAKE_ACCOUNT_BYTES = 200;

const DELEGATED = 2;
/** The epoch of what has not happened, and of what was always so. */
const MAX_EPOCH = 2n ** 64n - 1n;
const WARMUP_RATE = 0.25;

export interface Delegation {
  readonly voteAccount: string;
  readonly lamports: bigint;
  readonly activatedIn: bigint;
  readonly deactivatedIn: bigint;
}

/**
 * The delegation of a stake account; null for anything else and for one that delegates nothing. Layout: `StakeStateV2` of
 * https://github.com/solana-program/stake/blob/main/interface/src/state.rs
 */
export function readDelegation({ owner, data }: StoredAccount): Delegation | null {
  if (!owner.equals(STAKE.bytes) || data.length < STAKE_ACCOUNT_BYTES) return null;
  if (data.readUInt32LE(0) !== DELEGATED) return null;
  return {
    voteAccount: base58(data.subarray(124, 156)),
    lamports: data.readBigUInt64LE(156),
    activatedIn: data.readBigUInt64LE(164),
    deactivatedIn: data.readBigUInt64LE(172),
  };
}

/**
 * The stake that counts in an epoch: all of it from the epoch after the activation to the one of the deactivation. The real
 * network spreads large changes over several epochs.
 */
export function activeStake({ lamports, activatedIn, deactivatedIn }: Delegation, epoch: number): bigint {
  const isActivated = activatedIn === MAX_EPOCH || activatedIn < BigInt(epoch);
  return isActivated && deactivatedIn >= BigInt(epoch) ? lamports : 0n;
}

/** The data of a stake account whose delegation was always active, as those of a genesis are. */
export function stakeAccountData(
  authority: Buffer,
  voteAccount: Buffer,
  { delegated, rentExempt }: { readonly delegated: bigint; readonly rentExempt: bigint },
): Buffer {
  const data = Buffer.alloc(STAKE_ACCOUNT_BYTES);
  data.writeUInt32LE(DELEGATED, 0);
  data.writeBigUInt64LE(rentExempt, 4);
  authority.copy(data, 12); // may delegate
  authority.copy(data, 44); // may withdraw
  voteAccount.copy(data, 124);
  data.writeBigUInt64LE(delegated, 156);
  data.writeBigUInt64LE(MAX_EPOCH, 164);
  data.writeBigUInt64LE(MAX_EPOCH, 172);
  data.writeDoubleLE(WARMUP_RATE, 180);
  return data;
}
