import type { Rebate } from '../../../contracts/events/rebate';
import type { SettlementEvent, SettlementGenerated } from '../../../contracts/events/settlement';
import { sum } from '../../../contracts/money/money';

export type Settlement = Pick<
  SettlementGenerated,
  'settlementId' | 'billingPeriod' | 'merchantId' | 'netAmount' | 'lines' | 'carriedFrom' | 'rule'
> & {
  readonly status: 'pending' | 'paid' | 'carried' | 'void';
  /** In the order in which they were applied. */
  readonly rebates: readonly Rebate[];
};

/** The settlements and rebates of one merchant. */
export interface SettlementAccount {
  /** By id, in the order in which they were generated. */
  readonly settlements: ReadonlyMap<string, Settlement>;
  /** Rebates without a settlement, because theirs was voided. */
  readonly accrued: readonly Rebate[];
  /** The latest ledger position of any of them. */
  readonly ledgerPosition: number;
}

export const EMPTY: SettlementAccount = { settlements: new Map(), accrued: [], ledgerPosition: -1 };

export function evolve(account: SettlementAccount, event: SettlementEvent): SettlementAccount {
  switch (event.type) {
    case 'SettlementGenerated': {
      const { settlementId, billingPeriod, merchantId, netAmount, lines, carriedFrom, rule } = event.data;
      const settlement = { settlementId, billingPeriod, merchantId, netAmount, lines, carriedFrom, rule };
      return {
        ...withSettlement(account, { ...settlement, status: 'pending', rebates: [] }),
        ledgerPosition: Math.max(account.ledgerPosition, event.data.ledgerPosition),
      };
    }
    case 'SettlementCarried':
      return changed(account, event.data.settlementId, { status: 'carried' });
    case 'SettlementPaid':
      return changed(account, event.data.settlementId, { status: 'paid' });
    case 'SettlementVoided': {
      const { rebates } = account.settlements.get(event.data.settlementId)!;
      const voided = changed(account, event.data.settlementId, { status: 'void', rebates: [] });
      return { ...voided, accrued: [...account.accrued, ...rebates] };
    }
    case 'RebateAccrued': {
      const { at: _, by: __, ...rebate } = event.data;
      return { ...account, accrued: [...account.accrued, rebate] };
    }
    case 'RebateApplied': {
      const { rebateId, settlementId } = event.data;
      const rebate = account.accrued.find(each => each.rebateId === rebateId)!;
      const { rebates } = account.settlements.get(settlementId)!;
      return changed(without(account, rebateId), settlementId, { rebates: [...rebates, rebate] });
    }
    case 'RebateVoided':
      return without(account, event.data.rebateId);
  }
}

/** Settlements that are not void. */
export function live({ settlements }: SettlementAccount): Settlement[] {
  return [...settlements.values()].filter(({ status }) => status !== 'void');
}

/** The live settlement of a month; there is at most one. */
export function liveOf(account: SettlementAccount, billingPeriod: string): Settlement | undefined {
  return live(account).find(settlement => settlement.billingPeriod === billingPeriod);
}

/** Carried settlements whose negative amount is not in another settlement yet. */
export function openCarried(account: SettlementAccount): Settlement[] {
  const included = new Set(live(account).flatMap(({ carriedFrom }) => carriedFrom));
  return live(account).filter(
    ({ status, settlementId }) => status === 'carried' && !included.has(settlementId),
  );
}

export interface Sums {
  readonly feeCount: number;
  readonly grossCollected: string;
  readonly feesCollected: string;
}

/** The fees of a month that are in live settlements, of that month or later ones. */
export function settledSums(account: SettlementAccount, billingPeriod: string): Sums {
  const lines = live(account)
    .flatMap(settlement => settlement.lines)
    .filter(line => line.billingPeriod === billingPeriod);
  return {
    feeCount: lines.reduce((count, line) => count + line.feeCount, 0),
    grossCollected: sum(lines.map(line => line.grossCollected)),
    feesCollected: sum(lines.map(line => line.feesCollected)),
  };
}

/** The rebate in effect for a month: the last applied one, unless it reverses the one before. */
export function currentRebate(account: SettlementAccount, billingPeriod: string): Rebate | null {
  const last = live(account)
    .flatMap(({ rebates }) => rebates)
    .findLast(rebate => rebate.billingPeriod === billingPeriod);
  return last && !last.basisFee.startsWith('-') ? last : null;
}

/**
 * A later live settlement that includes the carried amount of this one, or has lines of the same months: it would be wrong
 * without this one.
 */
export function dependentOf(account: SettlementAccount, settlement: Settlement): Settlement | undefined {
  const { settlementId, billingPeriod, lines } = settlement;
  const months = new Set([billingPeriod, ...lines.map(line => line.billingPeriod)]);
  const all = live(account);
  return all
    .slice(all.indexOf(settlement) + 1)
    .find(
      later =>
        later.carriedFrom.includes(settlementId) || later.lines.some(line => months.has(line.billingPeriod)),
    );
}

/** The rebates paid with a settlement: its own, and those of the carried settlements in it. */
export function rebatesPaidWith(account: SettlementAccount, settlement: Settlement): Rebate[] {
  const carried = settlement.carriedFrom.map(id => account.settlements.get(id)!);
  return [...settlement.rebates, ...carried.flatMap(each => rebatesPaidWith(account, each))];
}

const withSettlement = (account: SettlementAccount, settlement: Settlement): SettlementAccount => ({
  ...account,
  settlements: new Map(account.settlements).set(settlement.settlementId, settlement),
});

const changed = (
  account: SettlementAccount,
  settlementId: string,
  change: Partial<Settlement>,
): SettlementAccount => withSettlement(account, { ...account.settlements.get(settlementId)!, ...change });

const without = (account: SettlementAccount, rebateId: string): SettlementAccount => ({
  ...account,
  accrued: account.accrued.filter(rebate => rebate.rebateId !== rebateId),
});
