import type { Rebate } from '../../../contracts/events/rebate';
import type { RuleRef } from '../../../contracts/events/settlement';
import { amountOf, product, subtract } from '../../../contracts/money/money';
import type { RebateTier } from '../../../contracts/money/rebate-tiers';
import type { RebateRule } from './rule';

/** The part of a rebate that follows from the fees and the rule; `amount` is `basisFee × rate`. */
export type ComputedRebate = Pick<
  Rebate,
  'billingPeriod' | 'basisFee' | 'rate' | 'amount' | 'ruleId' | 'ruleVersion'
>;

/** The current version of the rule, as settlements refer to it. */
export function ruleInForce(rule: RebateRule | null): RuleRef | null {
  return rule && { ruleId: rule.ruleId, ruleVersion: rule.versions.length };
}

/**
 * The rebate on the collected fees of a month by a version of the rule: the rate of the highest tier they reach, on all of
 * them. Null when it is zero.
 * @param scale decimals of the currency; the amount is rounded to it, half-even, once
 */
export function computeRebate(
  billingPeriod: string,
  basisFee: string,
  rule: RebateRule | null,
  ref: RuleRef | null,
  scale: number,
): ComputedRebate | null {
  if (!rule || !ref) return null;
  const tier = highestTier(rule.versions[ref.ruleVersion - 1]!.tiers, basisFee);
  if (!tier) return null;
  const amount = product(basisFee, tier.rate, scale);
  return amountOf(amount) === 0n ? null : { billingPeriod, basisFee, rate: tier.rate, amount, ...ref };
}

/** The same with the opposite sign, exactly: half-even rounding is symmetric. */
export function reversalOf({
  billingPeriod,
  basisFee,
  rate,
  amount,
  ruleId,
  ruleVersion,
}: ComputedRebate): ComputedRebate {
  return {
    billingPeriod,
    basisFee: subtract('0', basisFee),
    rate,
    amount: subtract('0', amount),
    ruleId,
    ruleVersion,
  };
}

const highestTier = (tiers: readonly RebateTier[], volume: string): RebateTier | undefined =>
  tiers.findLast(({ from }) => amountOf(volume) >= amountOf(from));
