import type { RuleRef, SettlementLine } from '../../../contracts/events/settlement';
import { amountOf, subtract, sum, ZERO } from '../../../contracts/money/money';
import { computeRebate, reversalOf, type ComputedRebate } from '../rebate/computed-rebate';
import type { RebateRule } from '../rebate/rule';
import {
  currentRebate,
  live,
  liveOf,
  openCarried,
  settledSums,
  type SettlementAccount,
  type Sums,
} from './account';

/** The collected fees of one merchant by month, at one position of the ledger. */
export interface MerchantSums {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly periods: ReadonlyMap<string, Sums>;
  readonly ledgerPosition: number;
}

interface Terms {
  readonly rule: RebateRule | null;
  /** The current version of the rule, for a month that is settled for the first time. */
  readonly inForce: RuleRef | null;
  /** Decimals of the currency. */
  readonly scale: number;
}

/** The content of a settlement of a month. */
export interface Balance extends Sums {
  readonly lines: SettlementLine[];
  readonly rebates: readonly ComputedRebate[];
  readonly rebateApplied: string;
  readonly carriedIn: string;
  readonly carriedFrom: string[];
  readonly netAmount: string;
  /** No line has an amount, and there is no rebate; a carried amount alone is not settled. */
  readonly isEmpty: boolean;
}

/**
 * net = grossCollected - feesCollected + rebateApplied + carriedIn
 *
 * The first two are sums over fees that are in no live settlement yet: all of the month itself, and changes of months that
 * were settled before. Other months are left to their own settlements.
 */
export function balanceOf(
  account: SettlementAccount,
  billingPeriod: string,
  { periods }: MerchantSums,
  terms: Terms,
): Balance {
  const lines = [billingPeriod, ...settledBefore(account)].flatMap(period => {
    const line = unsettledLine(account, period, periods.get(period));
    return line ? [line] : [];
  });
  const rebates = lines.flatMap(line =>
    rebatesOf(account, line.billingPeriod, periods.get(line.billingPeriod)?.feesCollected ?? ZERO, terms),
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
    netAmount: sum([owed({ grossCollected, feesCollected }), rebateApplied, carriedIn]),
    isEmpty: rebates.length === 0 && lines.every(line => !nonZero(owed(line))),
  };
}

/** Months with a live settlement, oldest first. */
export function settledBefore(account: SettlementAccount): string[] {
  return live(account)
    .map(({ billingPeriod }) => billingPeriod)
    .sort();
}

const NO_FEES: Sums = { feeCount: 0, grossCollected: ZERO, feesCollected: ZERO };

/** The fees of a month that are in no settlement yet; null when there are none. */
function unsettledLine(
  account: SettlementAccount,
  billingPeriod: string,
  now: Sums = NO_FEES,
): SettlementLine | null {
  const settled = settledSums(account, billingPeriod);
  const line = {
    billingPeriod,
    feeCount: now.feeCount - settled.feeCount,
    grossCollected: subtract(now.grossCollected, settled.grossCollected),
    feesCollected: subtract(now.feesCollected, settled.feesCollected),
  };
  const changed = line.feeCount !== 0 || [line.grossCollected, line.feesCollected].some(nonZero);
  return changed ? line : null;
}

/**
 * The rebate of a whole month; when it differs from the current one, a reversal of that comes first. A settled month keeps
 * the version of the rule that it was settled under.
 */
function rebatesOf(
  account: SettlementAccount,
  billingPeriod: string,
  volume: string,
  terms: Terms,
): ComputedRebate[] {
  const settled = liveOf(account, billingPeriod);
  const ref = settled ? settled.rule : terms.inForce;
  const current = currentRebate(account, billingPeriod);
  if (current && amountOf(current.basisFee) === amountOf(volume)) return [];
  const rebate = computeRebate(billingPeriod, volume, terms.rule, ref, terms.scale);
  return [...(current ? [reversalOf(current)] : []), ...(rebate ? [rebate] : [])];
}

const owed = ({ grossCollected, feesCollected }: Omit<Sums, 'feeCount'>): string =>
  subtract(grossCollected, feesCollected);

const nonZero = (amount: string): boolean => amountOf(amount) !== 0n;
