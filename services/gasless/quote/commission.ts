/** What a jetton costs, as a ratio of smallest units: so many of the jetton for so many nanotons. */
export interface JettonRate {
  readonly units: bigint;
  readonly nanotons: bigint;
}

export interface CommissionTerms {
  readonly rate: JettonRate;
  /** Hundredths of a percent on top of the costs. */
  readonly marginBasisPoints: bigint;
  /** Smallest units of the jetton, on top of that. */
  readonly minimum: bigint;
}

const BASIS_POINTS = 10_000n;

/**
 * What the relayer charges, in smallest units of the jetton, rounded up: its costs with the margin, at the rate, and the minimum.
 * @param cost nanotons: what the relayer attaches and pays, less what comes back
 */
export function commissionFor(cost: bigint, { rate, marginBasisPoints, minimum }: CommissionTerms): bigint {
  const dividend = cost * (BASIS_POINTS + marginBasisPoints) * rate.units;
  return ceilDivide(dividend, BASIS_POINTS * rate.nanotons) + minimum;
}

/** Of positive numbers. */
const ceilDivide = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor;
