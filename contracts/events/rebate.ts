import { z } from 'zod';
import { decimal } from './decimal';
import { eventType } from './event-type';
import { month } from './month';

/**
 * The part of a month's fees that a merchant gets back, or a correction of it when the fees of the month have changed
 * since: then `basisFee` and `amount` are negative. `amount` is `basisFee × rate`, half-even at the scale of the currency.
 */
export const rebate = z.object({
  rebateId: z.string(),
  billingPeriod: month,
  merchantId: z.string(),
  merchantName: z.string(),
  currency: z.string(),
  basisFee: decimal,
  rate: decimal,
  amount: decimal,
  ruleId: z.string(),
  ruleVersion: z.int(),
});
export type Rebate = z.output<typeof rebate>;

const done = { rebateId: z.string(), at: z.string(), by: z.string() };

// These types are the storage format. They are in the streams of settlements.
export const rebateAccrued = eventType({
  name: 'RebateAccrued',
  schema: z.object({ ...rebate.shape, at: z.string(), by: z.string() }),
});
export const rebateApplied = eventType({
  name: 'RebateApplied',
  schema: z.object({ ...done, settlementId: z.string() }),
});
/** An accrued rebate that was replaced by another one. */
export const rebateVoided = eventType({ name: 'RebateVoided', schema: z.object(done) });
