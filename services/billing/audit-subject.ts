import { isAlwaysAudited } from '../../contracts/http/billing/access';
import type { AdminRequest } from '../../contracts/http/billing/actions';
import type { FeeResult } from '../../contracts/http/billing/responses';
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

/**
 * @param body as parsed by `feeBatch`; undefined when the call was refused before
 * @param answer the results of its rows; undefined when the call was refused
 */
export function feesSubject(body: unknown, answer?: unknown): AuditSubject {
  const rows = (body as { fees: unknown[] } | undefined)?.fees.length;
  const results = (answer as { results: FeeResult[] } | undefined)?.results;
  const counts = results && countsOf(results);
  return {
    action: 'record_fees',
    always: true,
    about: { ...(rows !== undefined && { rows: String(rows) }), ...(counts && inWords(counts)) },
    isRefused: counts !== undefined && counts.refused === results?.length,
  };
}

function countsOf(results: readonly FeeResult[]): Record<FeeResult['result'], number> {
  const counts = { recorded: 0, unchanged: 0, refused: 0 };
  for (const { result } of results) counts[result]++;
  return counts;
}

/** Counts as the audit trail records them. */
export function inWords(counts: Readonly<Record<string, number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, String(count)]));
}
