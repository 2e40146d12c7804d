import { POOL_PRECISION } from '../../../contracts/chain/ton-staking';
import type { TonElection } from '../../../contracts/chain/ton-elections';

/** How both are computed, for those who check them. */
export const GLOBAL_APY_FORMULA =
  '((1 + floor(bonuses * 10^6 / totalStake) / 10^6) ^ floor(31536000 / (2 * electedFor)) - 1) * 100';
export const POOL_APY_FORMULA = '((1 + perCoin / 10^13) ^ floor(31536000 / (2 * electedFor)) - 1) * 100';

const SECONDS_PER_YEAR = 31_536_000;
const MILLION = 1_000_000n;
const DIGITS = 5;
/** From here on numbers are not written with their digits alone. */
const TOO_MUCH = 1e21;

/** A stake is held while the next round runs: it earns in every second one. */
const cyclesOf = (electedFor: number): number => Math.floor(SECONDS_PER_YEAR / (2 * electedFor));

/** Percent; null where rounds are so short that it says nothing. */
function apyOf(rate: number, electedFor: number): string | null {
  const apy = ((1 + rate) ** cyclesOf(electedFor) - 1) * 100;
  return Math.abs(apy) < TOO_MUCH ? apy.toFixed(DIGITS) : null;
}

/**
 * What validators have earned in a round, in percent a year: the arithmetic of the wallet app, which compares it with its own
 * result. It cuts the yield of the round off after six digits.
 * @param electedFor seconds
 * @returns null for an election without stakes
 */
export function globalApy(
  { bonuses, totalStake }: Pick<TonElection, 'bonuses' | 'totalStake'>,
  electedFor: number,
): string | null {
  if (BigInt(totalStake) === 0n) return null;
  return apyOf(Number((BigInt(bonuses) * MILLION) / BigInt(totalStake)) / Number(MILLION), electedFor);
}

/** What the nominators of a pool have earned in a round, after its fee, in percent a year. @param perCoin in 10^13ths */
export function poolApy(perCoin: bigint, electedFor: number): string | null {
  return apyOf(Number(perCoin) / Number(POOL_PRECISION), electedFor);
}
