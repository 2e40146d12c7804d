import fc from 'fast-check';
import { v5 } from 'uuid';
import { isRefusal } from '../../contracts/decider';
import type { SettlementEvent } from '../../contracts/events/settlement';
import { sum } from '../../contracts/money/money';
import type { RebateTier } from '../../contracts/money/rebate-tiers';
import type { RebateRule, RuleVersion } from '../../services/billing/rebate/rule';
import { live, type SettlementAccount } from '../../services/billing/settlement/account';
import { settlementDecider, type SettlementCommand } from '../../services/billing/settlement/decider';

const NAMESPACE = '00000000-0000-4000-8000-000000000000';
export const MONTHS = ['2026-09', '2026-10', '2026-11', '2026-12'];
const metadata = { now: '2026-12-01T09:00:00.000Z', actor: 'ann' };

const month = fc.constantFrom(...MONTHS);
const amount = (most: number) =>
  fc
    .tuple(fc.integer({ min: -most / 4, max: most }), fc.constantFrom('', '5', '005', '000000000000000001'))
    .map(([cents, finer]) => {
      const digits = String(Math.abs(cents)).padStart(3, '0');
      return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}${finer}`;
    });
const tiers = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100 })), {
    minLength: 1,
    maxLength: 4,
  })
  .map(pairs =>
    [...new Map(pairs)]
      .sort(([a], [b]) => a - b)
      .map(([from, rate]): RebateTier => ({
        from: `${from}.00`,
        rate: rate === 100 ? '1.00' : `0.${String(rate).padStart(2, '0')}`,
      })),
  );

export type Step =
  | { readonly collect: string; readonly gross: string; readonly fee: string }
  | { readonly reverse: number }
  | { readonly rule: RebateTier[] }
  | { readonly generate: string }
  | { readonly pay: number }
  | { readonly annul: number };

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ collect: month, gross: amount(8_000), fee: amount(5_000) }) },
  { weight: 2, arbitrary: fc.record({ reverse: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ rule: tiers }) },
  { weight: 5, arbitrary: fc.record({ generate: month }) },
  { weight: 2, arbitrary: fc.record({ pay: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ annul: fc.nat() }) },
);

interface Row {
  readonly month: string;
  readonly gross: string;
  readonly fee: string;
}

/** One merchant, its ledger and its settlements, without any engine. */
export class Merchant {
  account: SettlementAccount = settlementDecider.initial();
  rows: Row[] = [];
  rule: RebateRule | null = null;
  /** All that was recorded. */
  readonly events: SettlementEvent[] = [];
  /** Rebates by payment. */
  readonly paid: string[] = [];
  private position = 0;
  private commands = 0;

  take(each: Step): void {
    this.position++;
    if ('collect' in each) this.rows.push({ month: each.collect, gross: each.gross, fee: each.fee });
    else if ('reverse' in each) this.rows.splice(each.reverse % Math.max(this.rows.length, 1), 1);
    else if ('rule' in each) this.setRule(each.rule);
    else if ('generate' in each) this.generate(each.generate);
    else {
      const ids = [...this.account.settlements.keys()];
      const settlementId = ids[('pay' in each ? each.pay : each.annul) % Math.max(ids.length, 1)];
      if (settlementId === undefined) return;
      if ('pay' in each) this.pay(settlementId);
      else this.carryOut({ type: 'void', settlementId, reason: null, metadata });
    }
  }

  pay(settlementId: string): void {
    this.carryOut({ type: 'pay', settlementId, paidAt: metadata.now, reference: null, metadata });
  }

  generate(billingPeriod: string): void {
    const periods = new Map(
      [...new Set(this.rows.map(row => row.month))].map(each => {
        const own = this.rows.filter(row => row.month === each);
        const sums = {
          feeCount: own.length,
          grossCollected: sum(own.map(row => row.gross)),
          feesCollected: sum(own.map(row => row.fee)),
        };
        return [each, sums];
      }),
    );
    this.carryOut({
      type: 'generate',
      settlementId: v5(String(this.commands++), NAMESPACE),
      billingPeriod,
      merchant: { merchantId: 'm-1', merchantName: 'M', ledgerPosition: this.position, periods },
      rule: this.rule,
      currency: 'USD',
      scale: 2,
      metadata,
    });
  }

  private setRule(of: RebateTier[]): void {
    const version: RuleVersion = { tiers: of, setAt: metadata.now, setBy: 'ann' };
    this.rule = { ruleId: 'rule-1', versions: [...(this.rule?.versions ?? []), version] };
  }

  private carryOut(command: SettlementCommand): void {
    const decision = settlementDecider.decide(this.account, command);
    if (isRefusal(decision)) return;
    this.events.push(...decision);
    this.account = decision.reduce(settlementDecider.evolve, this.account);
    for (const { type, data } of decision) if (type === 'SettlementPaid') this.paid.push(...data.rebateIds);
    if (command.type === 'generate') this.expectNoRebateLeft();
  }

  /** The rebates of a voided settlement of a settled month were applied again or replaced. */
  private expectNoRebateLeft(): void {
    const months = live(this.account).map(({ billingPeriod }) => billingPeriod);
    expect(this.account.accrued.filter(({ billingPeriod }) => months.includes(billingPeriod))).toEqual([]);
  }
}
