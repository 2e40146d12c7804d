import { canonicalDigest } from '../../../contracts/json/canonical-json';
import type { Invoice } from '../../../contracts/http/billing/responses';
import type { Settlement } from '../../../contracts/http/billing/settlements';

/** An invoice or a settlement as a document for people: the same content as CSV and as PDF. */
export interface Statement {
  readonly title: string;
  /** Name of a file without its extension. */
  readonly fileName: string;
  /** RFC 3339 UTC instant of its last change, the date of the file. */
  readonly changedAt: string;
  /** What it is of, and what is to be paid. */
  readonly fields: readonly Field[];
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
  /** The sums of the columns, for people: programs add the rows. */
  readonly total: readonly string[];
  /** Who made it, when, and what it can be checked by. */
  readonly details: readonly Field[];
}

type Field = readonly [label: string, value: string];

interface Column {
  readonly label: string;
  readonly isAmount: boolean;
  /** Its share of the width of a page. */
  readonly share: number;
}

const text = (label: string, share: number): Column => ({ label, isAmount: false, share });
const amount = (label: string, share: number): Column => ({ label, isAmount: true, share });

/** What stands for a personal text that was erased. */
const ERASED = '(erased)';

const optional = (label: string, value: string | null, erased = false): [string, string][] => {
  if (erased) return [[label, ERASED]];
  return value === null ? [] : [[label, value]];
};

/** @param instanceId the name of the instance */
export function invoiceStatement(instanceId: string, invoice: Invoice): Statement {
  const { invoiceId, number, billingPeriod, currency, timeZone } = invoice;
  return {
    title: `Invoice ${number ?? billingPeriod} (${invoice.status})`,
    fileName: `invoice-${number ?? invoiceId}`,
    changedAt: invoice.history.at(-1)!.at,
    fields: [
      ['Instance', instanceId],
      ...optional('Number', number),
      ['Status', invoice.status],
      ['Billing period', billingPeriod],
      ['Currency', currency],
      ['Total gross', invoice.totalGross],
      ['Total fees', invoice.totalFee],
    ],
    details: [
      ['Invoice', invoiceId],
      ['Period start', invoice.periodStart],
      ['Period end (exclusive)', invoice.periodEnd],
      ['Time zone', timeZone],
      ['Created', `${invoice.createdAt} by ${invoice.createdBy}`],
      ...optional('Finalized', joined(invoice.finalizedAt, invoice.finalizedBy)),
      ...optional('Voided', joined(invoice.voidedAt, invoice.voidedBy)),
      ...optional('Reason', invoice.voidReason, invoice.voidReasonErased),
      ...optional('Replaces', invoice.replacesInvoiceId),
      ['Fees', String(invoice.feeCount)],
      ['Ledger position', String(invoice.ledgerPosition)],
      ['Content hash (SHA-256)', invoice.contentHash],
    ],
    columns: [
      text('Merchant', 0.2),
      text('Id', 0.14),
      text('Slug', 0.12),
      text('Fee type', 0.12),
      amount('Fees', 0.06),
      amount('Gross', 0.18),
      amount('Fee', 0.18),
    ],
    rows: invoice.lines.map(line => [
      line.merchantName,
      line.merchantId,
      line.merchantSlug,
      line.feeType,
      String(line.feeCount),
      line.totalGross,
      line.totalFee,
    ]),
    total: ['Total', '', '', '', String(invoice.feeCount), invoice.totalGross, invoice.totalFee],
  };
}

/** @param instanceId the name of the instance */
export function settlementStatement(instanceId: string, settlement: Settlement): Statement {
  const { settlementId, billingPeriod, merchantId, merchantName, currency } = settlement;
  return {
    title: `Settlement ${billingPeriod} (${settlement.status})`,
    fileName: `settlement-${settlementId}`,
    changedAt: settlement.voidedAt ?? settlement.paidAt ?? settlement.createdAt,
    fields: [
      ['Instance', instanceId],
      ['Merchant', merchantName],
      ['Status', settlement.status],
      ['Billing period', billingPeriod],
      ['Currency', currency],
      ['Gross collected', settlement.grossCollected],
      ['Fees collected', settlement.feesCollected],
      ['Rebate', settlement.rebateApplied],
      ['Carried in', settlement.carriedIn],
      ['Net amount', settlement.netAmount],
    ],
    details: [
      ['Settlement', settlementId],
      ['Merchant id', merchantId],
      ['Created', `${settlement.createdAt} by ${settlement.createdBy}`],
      ...optional('Paid', joined(settlement.paidAt, settlement.paidBy)),
      ...optional('Reference', settlement.reference, settlement.referenceErased),
      ...optional('Voided', joined(settlement.voidedAt, settlement.voidedBy)),
      ...optional('Reason', settlement.voidReason, settlement.voidReasonErased),
      ...settlement.carriedFrom.map(id => ['Carried from', id] as const),
      ['Fees', String(settlement.feeCount)],
      ['Ledger position', String(settlement.ledgerPosition)],
      ['Content hash (SHA-256)', settlementHash(settlement)],
    ],
    columns: [text('Billing period', 0.4), amount('Fees', 0.1), amount('Gross', 0.25), amount('Fee', 0.25)],
    rows: settlement.lines.map(line => [
      line.billingPeriod,
      String(line.feeCount),
      line.grossCollected,
      line.feesCollected,
    ]),
    total: ['Total', String(settlement.feeCount), settlement.grossCollected, settlement.feesCollected],
  };
}

/** SHA-256, in hex, of the canonical JSON (RFC 8785) of what was settled, which never changes. */
function settlementHash(settlement: Settlement): string {
  const { settlementId, billingPeriod, merchantId, merchantName, currency, ledgerPosition } = settlement;
  const { grossCollected, feesCollected, rebateApplied, carriedIn, netAmount, feeCount } = settlement;
  return canonicalDigest({
    settlementId,
    billingPeriod,
    merchantId,
    merchantName,
    currency,
    grossCollected,
    feesCollected,
    rebateApplied,
    carriedIn,
    netAmount,
    feeCount,
    ledgerPosition,
    lines: settlement.lines,
    carriedFrom: settlement.carriedFrom,
  });
}

const joined = (at: string | null, by: string | null): string | null =>
  at === null ? null : `${at} by ${by ?? ''}`;
