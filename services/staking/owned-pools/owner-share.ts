import { POOL_PRECISION, type PoolRound } from '../../../contracts/chain/ton-staking';
import type { RoundEnd } from '../rounds/round-ends';
import { floorDivide, profitForCoin, roundProfit } from '../rounds/round-profit';

/** How a pool has shared out the profit of a round; nanotons, below zero for a loss. */
export interface OwnerShare {
  readonly profit: bigint;
  /** What the owner has got: the fee, the profit of its own stake, and what rounding leaves. */
  readonly ownerProfit: bigint;
  /** What its own stake would have earned without a fee. */
  readonly stakeProfit: bigint;
  /** What it has earned for running the pool: `ownerProfit - stakeProfit`. */
  readonly share: bigint;
}

/**
 * `ownerProfit - floor(ownStake × profit / balance)`, where the owner has got what `(balance - ownStake) × perCoin / P` leaves.
 * Source of the formula: the contract (tonwhales/ton-nominators). Null for a pool that had nothing to share it out among.
 */
export function ownerShare(
  end: Pick<RoundEnd, 'returned' | 'demanded'>,
  { before }: Pick<PoolRound, 'before'>,
): OwnerShare | null {
  const found = roundProfit(end, { before });
  if (!found) return null;
  const { profit } = found;
  const [balance, ownStake] = [BigInt(before.balance), BigInt(before.ownStake)];
  // A surplus is shared out as any profit is.
  const perCoin = profitForCoin(profit, balance, before.poolFee);
  const ownerProfit = profit - floorDivide((balance - ownStake) * perCoin, POOL_PRECISION);
  const stakeProfit = floorDivide(ownStake * profit, balance);
  return { profit, ownerProfit, stakeProfit, share: ownerProfit - stakeProfit };
}
