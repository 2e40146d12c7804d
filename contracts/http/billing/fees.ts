import { z } from 'zod';
import { amount, feeId, feeType, identifier, instant, merchantName, slug } from './fields';

const record = z.strictObject({
  action: z.literal('record').optional(),
  id: feeId,
  fee_type: feeType,
  fee_amount: amount,
  gross_amount: amount,
  collection_status: z.enum(['pending', 'collected']).default('pending'),
  /** Default: when it is recorded. The billing period is the month of this instant in the instance's time zone. */
  created_at: instant.optional(),
  merchant_id: identifier,
  /** Default: the name of the merchant at the time, from `tidemark merchants set`. */
  merchant_name: merchantName.optional(),
  merchant_slug: slug.optional(),
});

const transition = <Action extends string>(action: Action) =>
  z.strictObject({ action: z.literal(action), id: feeId });

/** A fee to record, or a change of a recorded one. */
export const feeRequest = z.discriminatedUnion('action', [
  record,
  transition('collect'),
  transition('waive'),
  transition('reverse'),
]);
export type FeeRequest = z.output<typeof feeRequest>;

export const feeBatch = z.strictObject({ fees: z.array(feeRequest).min(1).max(1_000) });
