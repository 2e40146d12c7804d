import { canonicalDigest } from '../../../contracts/canonical-json';
import type { InvoiceContent } from '../../../contracts/events/invoice';

/**
 * SHA-256 in hex over the RFC 8785 form of what the invoice says. Anyone who holds the invoice can compute it: every
 * field of the content is a field of the answer.
 */
export function contentHash(content: InvoiceContent): string {
  const {
    invoiceId,
    billingPeriod,
    currency,
    timeZone,
    periodStart,
    periodEnd,
    ledgerPosition,
    feeCount,
    totalFee,
    totalGross,
    replacesInvoiceId,
    lines,
  } = content;
  return canonicalDigest({
    invoiceId,
    billingPeriod,
    currency,
    timeZone,
    periodStart,
    periodEnd,
    ledgerPosition,
    feeCount,
    totalFee,
    totalGross,
    replacesInvoiceId,
    lines: [...lines],
  });
}
