import { canonicalDigest } from '../../../contracts/json/canonical-json';
import type { InvoiceContent } from '../../../contracts/events/invoice';

/**
 * SHA-256, in hex, of the canonical JSON (RFC 8785) of the content. Anyone with the invoice can compute it, since every
 * member of the content is a member of the answer.
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
