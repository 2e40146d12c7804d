import type { Rebate } from '../../../contracts/events/rebate';
import type { RuleRef } from '../../../contracts/events/settlement';
import { amountOf, product, subtract } from '../../../contracts/money';
import type { RebateTier } from '../../../contracts/rebate-tiers';
import type { RebateRule } from './rule';

/** A rebate as far as the fees and the rule decide it; `amount` is `basisFee × rate`. */
export type Due = Pick<Rebate, 'billingPeriod' | 'basisFee' | 'rate' | 'amount' | 'ruleId' | 'ruleVersion'>;

/** The rule in force, to be frozen into what is settled by it. */
export function ruleInForce(rule: RebateRule | null): RuleRef | null {
  return rule && { ruleId: rule.ruleId, ruleVersion: rule.versions.length };
}

/**
 * What the collected fees of a month earn under a version of the rule: the rate of the highest tier they reach, on the
 * whole of them. Null where that is nothing.
 * @param scale decimals of the currency; the amount is rounded to it, half-even, once
 */
export function earned(
  billingPeriod: string,
  basisFee: string,
  rule: RebateRule | null,
  ref: RuleRef | null,
  scale: number,
): Due | null {
  if (!rule || !ref) return null;
  const tier = reached(rule.versions[ref.ruleVersion - 1]!.tiers, basisFee);
  if (!tier) return null;
  const amount = product(basisFee, tier.rate, scale);
  return amountOf(amount) === 0n ? null : { billingPeriod, basisFee, rate: tier.rate, amount, ...ref };
}

/** The same with the opposite sign, down to the last digit: half-even rounding knows no sign. */
export function takenBack({ billingPeriod, basisFee, rate, amount, ruleId, ruleVersion }: Due): Due {
  return {
    billingPeriod,
    basisFee: subtract('0', basisFee),
    rate,
    amount: subtract('0', amount),
    ruleId,
    ruleVersion,
  };
}

const reached = (tiers: readonly RebateTier[], volume: string): RebateTier | undefined =>
  tiers.findLast(({ from }) => amountOf(volume) >= amountOf(from));
