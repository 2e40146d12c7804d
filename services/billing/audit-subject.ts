import { isAlwaysAudited } from '../../contracts/http/billing/access';
import type { AdminRequest } from '../../contracts/http/billing/actions';
import type { AuditSubject } from '../audit/audit';

/** The fields of a request that are recorded. Others may contain personal text, which must not be in the audit trail. */
const SUBJECT_FIELDS = [
  'invoiceId',
  'feeId',
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

/** @param body as parsed by `adminRequest`; undefined when the call was refused before */
export function adminSubject(body: unknown): AuditSubject | null {
  if (body === undefined) return null;
  const { action, ...fields } = body as AdminRequest;
  const about = Object.entries(fields).filter(
    (field): field is [string, string] => SUBJECT_FIELDS.includes(field[0]) && typeof field[1] === 'string',
  );
  return { action, always: isAlwaysAudited(action), about: Object.fromEntries(about) };
}

/** @param body as parsed by `feeBatch`; undefined when the call was refused before */
export function feesSubject(body: unknown): AuditSubject {
  const rows = (body as { fees: unknown[] } | undefined)?.fees.length;
  return {
    action: 'record_fees',
    always: true,
    about: rows === undefined ? {} : { rows: String(rows) },
  };
}
