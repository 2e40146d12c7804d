import { z } from 'zod';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of fees: `fee-<id>`, one per fee. */
export const FEE_CATEGORY = 'fee';

export function feeStream(id: string): string {
  return `${FEE_CATEGORY}-${id}`;
}

const ADJUSTMENT = '~reversal';

/** The id of the ledger row that reverses an invoiced fee. */
export function adjustmentId(feeId: string): string {
  return `${feeId}${ADJUSTMENT}`;
}

/** The id of the fee that a row of the ledger is of. */
export function feeOfRow(rowId: string): string {
  return isAdjustmentId(rowId) ? rowId.slice(0, -ADJUSTMENT.length) : rowId;
}

export function isAdjustmentId(id: string): boolean {
  return id.endsWith(ADJUSTMENT);
}

/**
 * What a fee is, fixed when it is recorded. Merchant as known at that time; `day` and `billing_period` are those of
 * `created_at` in the instance's time zone and are never computed again.
 */
const facts = {
  id: z.string(),
  fee_type: z.string(),
  fee_amount: z.string(),
  gross_amount: z.string(),
  billing_period: z.string(),
  day: z.string(),
  created_at: z.string(),
  merchant_id: z.string(),
  merchant_name: z.string(),
  merchant_slug: z.string(),
};
const feeFacts = z.object(facts);
export type FeeFacts = z.output<typeof feeFacts>;

/** The row that reverses an invoiced fee: the same fee with negative amounts, dated when it was reversed. */
const adjustment = z.object({ ...facts, invoice_id: z.string() });
export type Adjustment = z.output<typeof adjustment>;

// These types are the storage format. Every event repeats the facts, so that a fold needs only the event.
const recorded = eventType({
  name: 'FeeRecorded',
  schema: z.object({ ...facts, collection_status: z.enum(['pending', 'collected']) }),
});
const collected = eventType({ name: 'FeeCollected', schema: feeFacts });
const waived = eventType({ name: 'FeeWaived', schema: feeFacts });
/** `adjustment` is null when no invoice holds the fee: then it is reversed in place. */
const reversed = eventType({
  name: 'FeeReversed',
  schema: z.object({ ...facts, adjustment: adjustment.nullable() }),
});

export const feeEvents = eventFamily(recorded, collected, waived, reversed);
export type FeeEvent = EventOf<typeof recorded | typeof collected | typeof waived | typeof reversed>;
