import { ADMIN_ACCESS } from '../../contracts/http/billing-access';
import type { AdminRequest } from '../../contracts/http/billing-actions';
import type { Asked } from '../audited';

/** The fields that say what a call is about. Others may hold free text, which has no place in the audit trail. */
const ABOUT = [
  'invoiceId',
  'settlementId',
  'merchantId',
  'merchantSlug',
  'billingPeriod',
  'dateFrom',
  'dateTo',
  'asOf',
  'status',
  'feeType',
];

/** @param body as `adminRequest` gives it */
export function askedOfAdmin(body: unknown): Asked {
  const { action, ...fields } = body as AdminRequest;
  const about = Object.entries(fields).filter(
    (field): field is [string, string] => ABOUT.includes(field[0]) && typeof field[1] === 'string',
  );
  return { action, always: ADMIN_ACCESS[action].counts !== 'reads', about: Object.fromEntries(about) };
}

export const FEES_ACTION = 'record_fees';

/** @param body as `feeBatch` gives it */
export function askedOfFees(body: unknown): Asked {
  return {
    action: FEES_ACTION,
    always: true,
    about: { rows: String((body as { fees: unknown[] }).fees.length) },
  };
}
