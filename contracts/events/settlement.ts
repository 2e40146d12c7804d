import { v5 } from 'uuid';
import { z } from 'zod';
import { encryptedText } from '../text/personal-text';
import { decimal } from './decimal';
import { eventFamily, eventType, type EventOf } from './event-type';
import { month } from './month';
import { rebateAccrued, rebateApplied, rebateVoided } from './rebate';

/**
 * The category of the streams of settlements: `settlement-<instance>-<merchant>`. All settlements of a merchant are in one
 * stream, so that each command is one append and a carried balance cannot be used twice.
 */
export const SETTLEMENT_CATEGORY = 'settlement';

export function settlementStream(instanceId: string, merchantId: string): string {
  return `${SETTLEMENT_CATEGORY}-${instanceId}-${merchantId}`;
}

/** The id of a merchant's settlement, derived from the id of the command, which may settle with many merchants. */
export function settlementIdOf(commandId: string, merchantId: string): string {
  return v5(merchantId, commandId);
}

/** The id of the n-th rebate that a settlement accrues. */
export function rebateIdOf(settlementId: string, index: number): string {
  return v5(`rebate/${index}`, settlementId);
}

/** The collected fees of a month in a settlement: of its own month, or the changes of an earlier one. */
const line = z.object({
  billingPeriod: month,
  feeCount: z.int(),
  grossCollected: decimal,
  feesCollected: decimal,
});
export type SettlementLine = z.output<typeof line>;

const done = {
  settlementId: z.string(),
  billingPeriod: month,
  merchantId: z.string(),
  at: z.string(),
  by: z.string(),
};

const ruleRef = z.object({ ruleId: z.string(), ruleVersion: z.int() });
export type RuleRef = z.output<typeof ruleRef>;

// These types are the storage format.
const generated = eventType({
  name: 'SettlementGenerated',
  schema: z.object({
    ...done,
    merchantName: z.string(),
    currency: z.string(),
    /** Sums of the lines. */
    grossCollected: decimal,
    feesCollected: decimal,
    feeCount: z.int(),
    rebateApplied: decimal,
    carriedIn: decimal,
    /** grossCollected - feesCollected + rebateApplied + carriedIn */
    netAmount: decimal,
    /** The lines are computed from the events of the merchant's fees up to and including this position. */
    ledgerPosition: z.int(),
    lines: z.array(line),
    /** The carried settlements whose negative amounts add up to `carriedIn`. */
    carriedFrom: z.array(z.string()),
    /** The rule of the month, which also applies to later changes of the month; null when there was none. */
    rule: ruleRef.nullable(),
  }),
});
const carried = eventType({ name: 'SettlementCarried', schema: z.object(done) });
const rebateIds = z.array(z.string());
/** `rebateIds`: also those of the carried settlements included in this one. */
const paid = eventType({
  name: 'SettlementPaid',
  schema: z.object({ ...done, paidAt: z.string(), reference: encryptedText.nullable(), rebateIds }),
});
const voided = eventType({
  name: 'SettlementVoided',
  schema: z.object({ ...done, reason: encryptedText.nullable(), rebateIds }),
});

export const settlementEvents = eventFamily(
  generated,
  carried,
  paid,
  voided,
  rebateAccrued,
  rebateApplied,
  rebateVoided,
);
export type SettlementGenerated = EventOf<typeof generated>['data'];
export type SettlementEvent = EventOf<
  | typeof generated
  | typeof carried
  | typeof paid
  | typeof voided
  | typeof rebateAccrued
  | typeof rebateApplied
  | typeof rebateVoided
>;
