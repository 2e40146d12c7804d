import { ADMIN_ACCESS } from '../../contracts/http/billing-access';
import type { AdminRequest } from '../../contracts/http/billing-actions';
import type { AuditSubject } from '../audit/audit';

/** The fields that say what a call is about. Others may hold personal text, which the audit trail must not. */
const SUBJECT_FIELDS = [
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
export function adminSubject(body: unknown): AuditSubject {
  const { action, ...fields } = body as AdminRequest;
  const about = Object.entries(fields).filter(
    (field): field is [string, string] => SUBJECT_FIELDS.includes(field[0]) && typeof field[1] === 'string',
  );
  return { action, always: ADMIN_ACCESS[action].rateLimit !== 'reads', about: Object.fromEntries(about) };
}

/** @param body as `feeBatch` gives it */
export function feesSubject(body: unknown): AuditSubject {
  return {
    action: 'record_fees',
    always: true,
    about: { rows: String((body as { fees: unknown[] }).fees.length) },
  };
}
