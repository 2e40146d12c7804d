import { refuse, type CommandMetadata, type Refusal } from '../../../contracts/decider';
import type { Rebate } from '../../../contracts/events/rebate';
import { rebateIdOf, type SettlementEvent } from '../../../contracts/events/settlement';
import { ruleInForce, type ComputedRebate } from '../rebate/computed-rebate';
import type { RebateRule } from '../rebate/rule';
import { live, liveOf, type SettlementAccount } from './account';
import { balanceOf, settledBefore, type MerchantSums } from './balance';

export interface GenerateSettlement {
  readonly type: 'generate';
  readonly settlementId: string;
  readonly billingPeriod: string;
  readonly merchant: MerchantSums;
  readonly rule: RebateRule | null;
  readonly currency: string;
  /** Decimals of the currency. */
  readonly scale: number;
  readonly metadata: CommandMetadata;
}

/** Rebates, settlement and carrying are one append, so none of them exists without the others. */
export function generate(
  account: SettlementAccount,
  command: GenerateSettlement,
): SettlementEvent[] | Refusal {
  const { settlementId, billingPeriod, merchant, rule, currency, scale, metadata } = command;
  const existing = liveOf(account, billingPeriod);
  if (existing) return settlementExists(merchant.merchantId, billingPeriod, existing.settlementId);
  if (isOutdated(account, merchant, rule)) return outdated();
  const inForce = ruleInForce(rule);
  const balance = balanceOf(account, billingPeriod, merchant, { rule, inForce, scale });
  const { rebates: computed, isEmpty, netAmount, ...content } = balance;
  if (isEmpty) return nothingToSettle(billingPeriod, merchant.merchantId);

  const common = { at: metadata.now, by: metadata.actor };
  const of = { merchantId: merchant.merchantId, merchantName: merchant.merchantName, currency };
  const { reused, stale } = matchAccrued(account, billingPeriod, computed);
  const rebates = computed.map((each, index): Rebate => {
    const rebateId = reused.get(each) ?? rebateIdOf(settlementId, index);
    return { rebateId, ...of, ...each };
  });
  return [
    ...stale.map(({ rebateId }) => ({ type: 'RebateVoided' as const, data: { rebateId, ...common } })),
    ...rebates
      .filter((_, index) => !reused.has(computed[index]!))
      .map(rebate => ({ type: 'RebateAccrued' as const, data: { ...rebate, ...common } })),
    {
      type: 'SettlementGenerated',
      data: {
        settlementId,
        billingPeriod,
        ...of,
        ...content,
        netAmount,
        ledgerPosition: merchant.ledgerPosition,
        rule: inForce,
        ...common,
      },
    },
    ...rebates.map(({ rebateId }) => ({
      type: 'RebateApplied' as const,
      data: { rebateId, settlementId, ...common },
    })),
    ...(netAmount.startsWith('-')
      ? [
          {
            type: 'SettlementCarried' as const,
            data: { settlementId, billingPeriod, merchantId: of.merchantId, ...common },
          },
        ]
      : []),
  ];
}

/** Code of the refusal when the sums or the rule are older than those of an existing settlement and must be read again. */
export const OUTDATED = 'version_conflict';

const outdated = (): Refusal => refuse(OUTDATED, 'The merchant was settled concurrently; try again.');

const isOutdated = (
  account: SettlementAccount,
  { ledgerPosition }: MerchantSums,
  rule: RebateRule | null,
): boolean =>
  ledgerPosition < account.ledgerPosition ||
  live(account).some(settlement => (settlement.rule?.ruleVersion ?? 0) > (rule?.versions.length ?? 0));

/** Matches the new rebates with those of voided settlements: which are reused, and which are voided. */
function matchAccrued(
  account: SettlementAccount,
  billingPeriod: string,
  computed: readonly ComputedRebate[],
): { readonly reused: ReadonlyMap<ComputedRebate, string>; readonly stale: readonly Rebate[] } {
  const months = new Set([billingPeriod, ...settledBefore(account)]);
  const accrued = account.accrued.filter(rebate => months.has(rebate.billingPeriod));
  const reused = new Map<ComputedRebate, string>();
  for (const each of computed) {
    const index = accrued.findIndex(rebate => isSame(rebate, each));
    if (index >= 0) reused.set(each, accrued.splice(index, 1)[0]!.rebateId);
  }
  return { reused, stale: accrued };
}

const isSame = (a: ComputedRebate, b: ComputedRebate): boolean =>
  a.billingPeriod === b.billingPeriod &&
  a.basisFee === b.basisFee &&
  a.rate === b.rate &&
  a.amount === b.amount &&
  a.ruleId === b.ruleId &&
  a.ruleVersion === b.ruleVersion;

const settlementExists = (merchantId: string, billingPeriod: string, settlementId: string): Refusal =>
  refuse(
    'settlement_exists',
    `There is already a settlement with ${merchantId} for ${billingPeriod}: ${settlementId}.`,
    { settlementId },
  );

export const NOTHING_TO_SETTLE = 'nothing_to_settle';

/** The refusal of a month without anything to settle. @param merchantId default: with anybody */
export function nothingToSettle(billingPeriod: string, merchantId?: string): Refusal {
  return refuse(
    NOTHING_TO_SETTLE,
    `There is nothing to settle ${merchantId === undefined ? '' : `with ${merchantId} `}for ${billingPeriod}.`,
  );
}
