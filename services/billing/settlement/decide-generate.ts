import { refuse, type CommandMetadata, type Refusal } from '../../../contracts/decider';
import type { Rebate } from '../../../contracts/events/rebate';
import { rebateIdOf, type SettlementEvent } from '../../../contracts/events/settlement';
import { ruleInForce, type Due } from '../rebate/due';
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

/** Rebates, settlement and carrying go into one append: there is no state in which one is there without the others. */
export function generate(
  account: SettlementAccount,
  command: GenerateSettlement,
): SettlementEvent[] | Refusal {
  const { settlementId, billingPeriod, merchant, rule, currency, scale, metadata } = command;
  const held = liveOf(account, billingPeriod);
  if (held) return settlementExists(merchant.merchantId, billingPeriod, held.settlementId);
  if (isOld(account, merchant, rule)) return outdated();
  const inForce = ruleInForce(rule);
  const balance = balanceOf(account, billingPeriod, merchant, { rule, inForce, scale });
  const { rebates: due, nothing, netAmount, ...said } = balance;
  if (nothing) return nothingToSettle(billingPeriod, merchant.merchantId);

  const done = { at: metadata.now, by: metadata.actor };
  const of = { merchantId: merchant.merchantId, merchantName: merchant.merchantName, currency };
  const { kept, stale } = sorted(account, billingPeriod, due);
  const rebates = due.map((each, index): Rebate => {
    const rebateId = kept.get(each) ?? rebateIdOf(settlementId, index);
    return { rebateId, ...of, ...each };
  });
  return [
    ...stale.map(({ rebateId }) => ({ type: 'RebateVoided' as const, data: { rebateId, ...done } })),
    ...rebates
      .filter((_, index) => !kept.has(due[index]!))
      .map(rebate => ({ type: 'RebateAccrued' as const, data: { ...rebate, ...done } })),
    {
      type: 'SettlementGenerated',
      data: {
        settlementId,
        billingPeriod,
        ...of,
        ...said,
        netAmount,
        ledgerPosition: merchant.ledgerPosition,
        rule: inForce,
        ...done,
      },
    },
    ...rebates.map(({ rebateId }) => ({
      type: 'RebateApplied' as const,
      data: { rebateId, settlementId, ...done },
    })),
    ...(netAmount.startsWith('-')
      ? [
          {
            type: 'SettlementCarried' as const,
            data: { settlementId, billingPeriod, merchantId: of.merchantId, ...done },
          },
        ]
      : []),
  ];
}

/** Sums or rules that were read before those of a settlement that is there by now: to be read again. */
export const OUTDATED = 'version_conflict';

const outdated = (): Refusal =>
  refuse(409, OUTDATED, 'Others were settling with the same merchant at the same time; try again.');

const isOld = (
  account: SettlementAccount,
  { ledgerPosition }: MerchantSums,
  rule: RebateRule | null,
): boolean =>
  ledgerPosition < account.ledgerPosition ||
  live(account).some(settlement => (settlement.rule?.ruleVersion ?? 0) > (rule?.versions.length ?? 0));

/** Which rebates of voided settlements are due again just so, and which are not due any more. */
function sorted(
  account: SettlementAccount,
  billingPeriod: string,
  due: readonly Due[],
): { readonly kept: ReadonlyMap<Due, string>; readonly stale: readonly Rebate[] } {
  const months = new Set([billingPeriod, ...settledBefore(account)]);
  const left = account.accrued.filter(rebate => months.has(rebate.billingPeriod));
  const kept = new Map<Due, string>();
  for (const each of due) {
    const at = left.findIndex(rebate => isSame(rebate, each));
    if (at >= 0) kept.set(each, left.splice(at, 1)[0]!.rebateId);
  }
  return { kept, stale: left };
}

const isSame = (a: Due, b: Due): boolean =>
  a.billingPeriod === b.billingPeriod &&
  a.basisFee === b.basisFee &&
  a.rate === b.rate &&
  a.amount === b.amount &&
  a.ruleId === b.ruleId &&
  a.ruleVersion === b.ruleVersion;

const settlementExists = (merchantId: string, billingPeriod: string, settlementId: string): Refusal =>
  refuse(
    409,
    'settlement_exists',
    `There is a settlement of ${merchantId} for ${billingPeriod} already: ${settlementId}.`,
    { settlementId },
  );

export const NOTHING_TO_SETTLE = 'nothing_to_settle';

export function nothingToSettle(billingPeriod: string, merchantId?: string): Refusal {
  return refuse(
    422,
    NOTHING_TO_SETTLE,
    `There is nothing to settle ${merchantId === undefined ? '' : `with ${merchantId} `}for ${billingPeriod}.`,
  );
}
