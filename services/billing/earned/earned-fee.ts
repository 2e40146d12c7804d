import { v5 } from 'uuid';
import { z } from 'zod';
import type { FeeRequest } from '../../../contracts/http/billing-fees';
import {
  amount,
  feeType,
  identifier,
  instant,
  merchantName,
  slug,
} from '../../../contracts/http/billing-fields';

/** The parts of the wallet's own business that earn commissions. */
const SOURCES = ['exchange', 'gasless'] as const;

/** A commission that the wallet's own business has earned: the port by which its services hand them to billing. */
export const earnedFee = z.strictObject({
  source: z.enum(SOURCES),
  /** What the source calls it, such as the id of an order or the hash of a transfer: one fee for each. */
  reference: z.string().min(1).max(200),
  /** The partner through whom it was earned. */
  merchant: z.strictObject({ id: identifier, name: merchantName, slug }),
  fee_type: feeType,
  /** Decimal strings in the instance's currency. */
  fee_amount: amount,
  gross_amount: amount,
  earnedAt: instant,
});
export type EarnedFee = z.output<typeof earnedFee>;

const NAMESPACE = '6f0a1c0e-6a0e-5d0b-9a63-0f8b7d5b2c41';

/** The id of the fee of a source's reference, always the same: a UUIDv5 behind the name of the source. */
export function earnedFeeId({ source, reference }: Pick<EarnedFee, 'source' | 'reference'>): string {
  return `${source}-${v5(`${source}/${reference}`, NAMESPACE)}`;
}

/** The row of the ledger: pending, until somebody has collected it. */
export function earnedRow(fee: EarnedFee): Extract<FeeRequest, { merchant_id: string }> {
  return {
    id: earnedFeeId(fee),
    fee_type: fee.fee_type,
    fee_amount: fee.fee_amount,
    gross_amount: fee.gross_amount,
    collection_status: 'pending',
    created_at: fee.earnedAt,
    merchant_id: fee.merchant.id,
    merchant_name: fee.merchant.name,
    merchant_slug: fee.merchant.slug,
  };
}
