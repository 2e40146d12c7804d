import type { TonElection } from '../../contracts/chain/ton-elections';

/** How `validatorApy` is computed, for those who check it. */
export const APY_FORMULA = '((1 + bonuses / totalStake) ^ (31536000 / (2 * roundSeconds)) - 1) * 100';

const SECONDS_PER_YEAR = 31_536_000;

/**
 * What a validator earns in a year, in percent, at the rate of one round: `(1 + bonuses / totalStake)^(rounds / 2) - 1`, where
 * `rounds` are those of a year. The exponent is halved because a stake is held while the next round runs, so that it
 * validates in every second one. Source of the formula: `core/elector.go` of tonkeeper/opentonapi.
 * @returns null for an election without stakes
 */
export function validatorApy(
  { bonuses, totalStake }: Pick<TonElection, 'bonuses' | 'totalStake'>,
  roundSeconds: number,
): number | null {
  if (BigInt(totalStake) === 0n) return null;
  const rate = Number(bonuses) / Number(totalStake);
  return 100 * Math.expm1((SECONDS_PER_YEAR / roundSeconds / 2) * Math.log1p(rate));
}
