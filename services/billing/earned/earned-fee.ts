import { v5 } from 'uuid';
import { z } from 'zod';
import type { FeeRequest } from '../../../contracts/http/billing/fees';
import {
  amount,
  feeType,
  identifier,
  instant,
  merchantName,
  slug,
} from '../../../contracts/http/billing/fields';

/** The services of the wallet that earn commissions. */
const SOURCES = ['exchange', 'gasless', 'staking', 'card'] as const;

/** A commission earned by a service of the wallet, as the service reports it to billing. */
export const earnedFee = z.strictObject({
  source: z.enum(SOURCES),
  /** Id within the source, such as that of an order or a transfer. A reference has one fee. */
  reference: z.string().min(1).max(200),
  /** The partner through which it was earned. */
  merchant: z.strictObject({ id: identifier, name: merchantName, slug }),
  fee_type: feeType,
  /** Decimal strings in the instance's currency. */
  fee_amount: amount,
  gross_amount: amount,
  earnedAt: instant,
  /**
   * `collected` where it was paid as it was earned, `reversed` when that turned out not to be so, `waived` when one that was pending turned
   * out not to be earned. Earlier versions queued it without.
   */
  status: z.enum(['pending', 'collected', 'reversed', 'waived']).default('pending'),
});
export type EarnedFee = z.output<typeof earnedFee>;

const NAMESPACE = '6f0a1c0e-6a0e-5d0b-9a63-0f8b7d5b2c41';

/** The id of the fee of a reference: the name of the source and a UUIDv5. */
export function earnedFeeId({ source, reference }: Pick<EarnedFee, 'source' | 'reference'>): string {
  return `${source}-${v5(`${source}/${reference}`, NAMESPACE)}`;
}

/** The ledger row of the fee. */
function earnedRow(fee: EarnedFee): Extract<FeeRequest, { merchant_id: string }> {
  return {
    id: earnedFeeId(fee),
    fee_type: fee.fee_type,
    fee_amount: fee.fee_amount,
    gross_amount: fee.gross_amount,
    collection_status: fee.status === 'pending' || fee.status === 'waived' ? 'pending' : 'collected',
    created_at: fee.earnedAt,
    merchant_id: fee.merchant.id,
    merchant_name: fee.merchant.name,
    merchant_slug: fee.merchant.slug,
  };
}

/** What happens to the ledger: a fee that was not recorded yet when it is reversed or waived is recorded first. */
export function earnedRows(fee: EarnedFee): FeeRequest[] {
  const row = earnedRow(fee);
  switch (fee.status) {
    case 'reversed':
      return [row, { action: 'reverse', id: row.id }];
    case 'waived':
      return [row, { action: 'waive', id: row.id }];
    default:
      return [row];
  }
}
