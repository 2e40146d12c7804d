import {
  POOL_PRECISION,
  RECOVER_VALUE,
  WHOLE_PROFIT,
  type PoolRound,
} from '../../../contracts/chain/ton-staking';
import type { RoundEnd } from './round-ends';

/** What a round has brought to a pool; nanotons, below zero for a loss. */
export interface RoundProfit {
  /** What the pool has shared out. */
  readonly profit: bigint;
  /** What of it came with the demand for the stake, beyond what a demand costs: a present, and no yield. */
  readonly surplus: bigint;
  /** What a nominator has earned in the round for each coin, in 10^13ths, without the surplus. */
  readonly perCoin: bigint;
}

/** Rounds down, below zero too, as the virtual machine does. */
export function floorDivide(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  return numerator % denominator !== 0n && numerator < 0n !== denominator < 0n ? quotient - 1n : quotient;
}

/**
 * What a profit is for each coin of a nominator, in 10^13ths: `profit × P × (10000 - fee) / (balance × 10000)`, and without the fee
 * where it is a loss. Source of the formula: the contract (tonwhales/ton-nominators).
 * @param balance nanotons of all members; not 0
 * @param poolFee hundredths of a percent
 */
export function profitForCoin(profit: bigint, balance: bigint, poolFee: number): bigint {
  return profit < 0n
    ? floorDivide(profit * POOL_PRECISION, balance)
    : floorDivide(profit * POOL_PRECISION * (WHOLE_PROFIT - BigInt(poolFee)), balance * WHOLE_PROFIT);
}

/** `profit_per_coin` after another profit. */
export function addProfit(perCoin: bigint, added: bigint): bigint {
  return floorDivide((perCoin + POOL_PRECISION) * (added + POOL_PRECISION), POOL_PRECISION) - POOL_PRECISION;
}

/** Null for a pool that had nothing to share it out among. */
export function roundProfit(
  { returned, demanded }: Pick<RoundEnd, 'returned' | 'demanded'>,
  { before }: Pick<PoolRound, 'before'>,
): RoundProfit | null {
  const balance = BigInt(before.balance);
  if (balance === 0n) return null;
  const profit = returned - RECOVER_VALUE - BigInt(before.sent);
  const surplus = demanded !== null && demanded > RECOVER_VALUE ? demanded - RECOVER_VALUE : 0n;
  return { profit, surplus, perCoin: profitForCoin(profit - surplus, balance, before.poolFee) };
}
