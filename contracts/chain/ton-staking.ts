import { z } from 'zod';
import type { TonNetwork } from '../network/network';

/** A member of a nominator pool, whether or not it has a stake there. Raw addresses. */
export interface StakingMemberSubject {
  readonly network: TonNetwork;
  readonly member: string;
  readonly pool: string;
}

/** Nanotons, decimal. */
const nanotons = z.string().regex(/^\d+$/);

/** What `get_member` of a nominator pool (tonwhales/ton-nominators) says of one member. */
export const stakeOfMember = z.object({
  balance: nanotons,
  pendingDeposit: nanotons,
  pendingWithdraw: nanotons,
  /** Ready to be withdrawn. */
  withdraw: nanotons,
});
export type StakeOfMember = z.infer<typeof stakeOfMember>;

export const NO_STAKE: StakeOfMember = {
  balance: '0',
  pendingDeposit: '0',
  pendingWithdraw: '0',
  withdraw: '0',
};

/** Data of `ton.staking.pool`: null while there is no nominator pool at the address. */
export const stakingPoolObserved = z.object({ enabled: z.boolean() }).nullable();
export type StakingPoolObserved = z.infer<typeof stakingPoolObserved>;

/** Data of `ton.unread.staking.member`: null for a contract that is no nominator pool, or does not answer as one. */
export const stakingMemberRead = stakeOfMember.nullable();
export type StakingMemberRead = z.infer<typeof stakingMemberRead>;

/** So long what was read of a stake that is not stored is served from memory, in milliseconds. */
export const UNREAD_STAKE_MS = 30_000;

/** Of the addition to what a pool has earned for each coin (`profit_per_coin`): so much is a profit of one coin for each. */
export const POOL_PRECISION = 10n ** 13n;
/** Hundredths of a percent: the whole of a profit, of which a pool has its fee. */
export const WHOLE_PROFIT = 10_000n;
/** Nanotons that a pool sends with the demand for its stake, and takes off what comes back. */
export const RECOVER_VALUE = 2_000_000_000n;

/** Whole numbers that may be below zero, decimal. */
const integer = z.string().regex(/^-?\d+$/);

/** Data of `ton.staking.pool.parties`: null while there is no nominator pool at the address. */
export const poolPartiesObserved = z
  .object({
    /** Raw. */
    owner: z.string(),
    /** Raw, on the masterchain: through it the pool stakes. */
    proxy: z.string(),
    /** Nanotons, decimal. */
    depositFee: nanotons,
    receiptPrice: nanotons,
  })
  .nullable();
export type PoolPartiesObserved = z.infer<typeof poolPartiesObserved>;
export type PoolParties = NonNullable<PoolPartiesObserved>;

/** The end of a round of a pool: the transaction of its proxy in which the elector gave the stake back. */
export interface PoolRoundSubject {
  readonly network: TonNetwork;
  /** Raw. */
  readonly pool: string;
  /** Logical time of that transaction. */
  readonly lt: string;
  /** Unix seconds of that transaction. */
  readonly time: number;
  /** Base64: on a fork another transaction may have the same logical time. */
  readonly hash: string;
}

/**
 * Data of `ton.staking.round`: the pool in the blocks before and after it took what the elector gave back. Null when the nodes
 * do not have these blocks any more.
 */
export const poolRoundObserved = z
  .object({
    /** Start of the round in Unix seconds, which is the id of its election. */
    round: z.int(),
    before: z.object({
      seqno: z.int(),
      profitPerCoin: integer,
      /** Nanotons, decimal, as the next ones: of all members, of the owner, and what was staked of the former. */
      balance: nanotons,
      ownStake: nanotons,
      sent: nanotons,
      /** Hundredths of a percent. */
      poolFee: z.int(),
    }),
    after: z.object({
      seqno: z.int(),
      profitPerCoin: integer,
      balance: nanotons,
      /** Logical time of the newest transaction of the pool. */
      lt: z.string(),
    }),
    /** As the elector said after the round; null where that is not known. */
    election: z
      .object({
        seqno: z.int(),
        totalStake: nanotons,
        bonuses: nanotons,
        /** Seconds that the validators were elected for. */
        electedFor: z.int().min(1),
      })
      .nullable(),
  })
  .nullable();
export type PoolRoundObserved = z.infer<typeof poolRoundObserved>;
export type PoolRound = NonNullable<PoolRoundObserved>;

/**
 * Data of `ton.staking.nominator`: what a member has, as of a block, and the newest transactions of that block, by which it is
 * known which deposits and withdrawals are in it.
 */
export const nominatorObserved = stakeOfMember.extend({
  /** Logical time of the newest transaction of the pool; 0 for none. */
  poolLt: z.string(),
  /** The same of the member. */
  memberLt: z.string(),
});
export type NominatorObserved = z.infer<typeof nominatorObserved>;

export interface NominatorRoundSubject extends StakingMemberSubject {
  /** The block (seqno of the masterchain) after the end of a round. */
  readonly seqno: number;
  /** Unix seconds of that end. */
  readonly time: number;
}

/** Data of `ton.staking.nominator.round`: null when the nodes do not have the block any more. */
export const nominatorRoundObserved = stakeOfMember.nullable();
export type NominatorRoundObserved = z.infer<typeof nominatorRoundObserved>;

/** All that is a member's. What it has asked to withdraw is in its balance. */
export function wholeStake({ balance, pendingDeposit, withdraw }: StakeOfMember): bigint {
  return BigInt(balance) + BigInt(pendingDeposit) + BigInt(withdraw);
}

export function hasStake(stake: StakeOfMember): boolean {
  return Object.values(stake).some(amount => amount !== '0');
}
