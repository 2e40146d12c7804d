import { z } from 'zod';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of fees: `fee-<id>`, one per fee. */
export const FEE_CATEGORY = 'fee';

export const feeStream = (id: string): string => `${FEE_CATEGORY}-${id}`;

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

// These types are the storage format. Every event repeats the facts, so that a fold needs nothing but the event.
const recorded = eventType({
  name: 'FeeRecorded',
  schema: z.object({ ...facts, collection_status: z.enum(['pending', 'collected']) }),
});
const collected = eventType({ name: 'FeeCollected', schema: feeFacts });
const waived = eventType({ name: 'FeeWaived', schema: feeFacts });
const reversed = eventType({ name: 'FeeReversed', schema: feeFacts });

export const feeEvents = eventFamily(recorded, collected, waived, reversed);
export type FeeEvent = EventOf<typeof recorded | typeof collected | typeof waived | typeof reversed>;
