import { add, subtract } from '../../contracts/money/money';
import type { Invoice } from '../../contracts/http/billing/responses';
import type { Json } from '../../contracts/json/json';
import type { ReportProof } from '../../contracts/ledger-tree/report-proof';
import { feesProjection } from '../../projections/billing/fees';
import { INVOICES, type InvoiceDocument } from '../../projections/billing/invoices';
import { collectedAndReversed } from '../../projections/billing/revenue';
import type { Views } from '../../projections/views';

/** From this version on, a fee that was collected and reversed after the draft is neither uninvoiced nor reversed. */
const COUNTED_AS_NEITHER = 3;

/** Whether such a fee is both uninvoiced and reversed in the answer of a proof that names these versions. */
export function isCountedTwice(projections: ReportProof['projections']): boolean {
  return (projections[feesProjection.name] ?? 0) < COUNTED_AS_NEITHER;
}

/** The answer to `get_invoice` as it was then. */
export async function countedTwice(answer: Json, views: Views, invoiceId: string): Promise<Json> {
  const { status, billingPeriod, reversedBefore } = (await views.get<InvoiceDocument>(
    INVOICES.name,
    invoiceId,
  ))!;
  if (status === 'void') return answer;
  const { invoice } = answer as unknown as { readonly invoice: Invoice };
  const { reversed } = await collectedAndReversed(views, billingPeriod);
  const reversedFeeCount = reversed.count - reversedBefore.feeCount;
  const reversedFee = subtract(reversed.totalFee, reversedBefore.totalFee);
  const both = {
    count: reversedFeeCount - invoice.reversedFeeCount!,
    fee: subtract(reversedFee, invoice.reversedFee!),
  };
  return {
    invoice: {
      ...invoice,
      uninvoicedFeeCount: invoice.uninvoicedFeeCount! + both.count,
      uninvoicedFee: add(invoice.uninvoicedFee!, both.fee),
      reversedFeeCount,
      reversedFee,
    },
  };
}
