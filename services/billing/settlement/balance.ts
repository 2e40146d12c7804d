import type { RuleRef, SettlementLine } from '../../../contracts/events/settlement';
import { amountOf, subtract, sum } from '../../../contracts/money';
import { earned, takenBack, type Due } from '../rebate/due';
import type { RebateRule } from '../rebate/rule';
import { live, openCarried, standingRebate, takenIn, type SettlementAccount, type Sums } from './account';

/** The collected fees of one merchant by month, all as they stand at one position of the ledger. */
export interface MerchantSums {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly periods: ReadonlyMap<string, Sums>;
  readonly ledgerPosition: number;
}

interface Terms {
  readonly rule: RebateRule | null;
  /** Of the rule, for a month that is settled for the first time. */
  readonly inForce: RuleRef | null;
  /** Decimals of the currency. */
  readonly scale: number;
}

/** What a settlement of a month would say. */
export interface Balance extends Sums {
  readonly lines: SettlementLine[];
  readonly rebates: readonly Due[];
  readonly rebateApplied: string;
  readonly carriedIn: string;
  readonly carriedFrom: string[];
  readonly netAmount: string;
  /** No month owes anything, nor earns a rebate; a carried amount by itself stays where it is. */
  readonly nothing: boolean;
}

/**
 * net = grossCollected - feesCollected + rebateApplied + carriedIn
 *
 * The first two are what no live settlement has taken in yet: of the month itself all, of months that were settled before
 * what has changed in them since. A month that is not settled waits for its own settlement.
 */
export function balanceOf(
  account: SettlementAccount,
  billingPeriod: string,
  { periods }: MerchantSums,
  terms: Terms,
): Balance {
  const lines = [billingPeriod, ...settledBefore(account)].flatMap(period => {
    const line = untaken(account, period, periods.get(period));
    return line ? [line] : [];
  });
  const rebates = lines.flatMap(line =>
    rebatesOf(account, line.billingPeriod, periods.get(line.billingPeriod)?.feesCollected ?? '0.00', terms),
  );
  const grossCollected = sum(lines.map(line => line.grossCollected));
  const feesCollected = sum(lines.map(line => line.feesCollected));
  const rebateApplied = sum(rebates.map(({ amount }) => amount));
  const carried = openCarried(account);
  const carriedIn = sum(carried.map(({ netAmount }) => netAmount));
  return {
    lines,
    rebates,
    feeCount: lines.reduce((count, line) => count + line.feeCount, 0),
    grossCollected,
    feesCollected,
    rebateApplied,
    carriedIn,
    carriedFrom: carried.map(({ settlementId }) => settlementId),
    netAmount: sum([owedBy({ grossCollected, feesCollected }), rebateApplied, carriedIn]),
    nothing: rebates.length === 0 && lines.every(line => !nonZero(owedBy(line))),
  };
}

/** Months with a live settlement, the oldest first. */
export function settledBefore(account: SettlementAccount): string[] {
  return live(account)
    .map(({ billingPeriod }) => billingPeriod)
    .sort();
}

const NO_FEES: Sums = { feeCount: 0, grossCollected: '0.00', feesCollected: '0.00' };

/** Null when all of it is taken in. */
function untaken(
  account: SettlementAccount,
  billingPeriod: string,
  now: Sums = NO_FEES,
): SettlementLine | null {
  const taken = takenIn(account, billingPeriod);
  const line = {
    billingPeriod,
    feeCount: now.feeCount - taken.feeCount,
    grossCollected: subtract(now.grossCollected, taken.grossCollected),
    feesCollected: subtract(now.feesCollected, taken.feesCollected),
  };
  const changed = line.feeCount !== 0 || [line.grossCollected, line.feesCollected].some(nonZero);
  return changed ? line : null;
}

/**
 * What the whole of a month earns; where that differs from what it has earned before, the earlier rebate is taken back
 * first. A month keeps the version of the rule that it was settled under.
 */
function rebatesOf(account: SettlementAccount, billingPeriod: string, volume: string, terms: Terms): Due[] {
  const settled = live(account).find(settlement => settlement.billingPeriod === billingPeriod);
  const ref = settled ? settled.rule : terms.inForce;
  const standing = standingRebate(account, billingPeriod);
  if (standing && amountOf(standing.basisFee) === amountOf(volume)) return [];
  const due = earned(billingPeriod, volume, terms.rule, ref, terms.scale);
  return [...(standing ? [takenBack(standing)] : []), ...(due ? [due] : [])];
}

const owedBy = ({ grossCollected, feesCollected }: Omit<Sums, 'feeCount'>): string =>
  subtract(grossCollected, feesCollected);

const nonZero = (amount: string): boolean => amountOf(amount) !== 0n;
