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
