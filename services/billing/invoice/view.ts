import { invoiceEvents, invoiceStream, type InvoiceLine } from '../../../contracts/events/invoice';
import type { Invoice, InvoiceHead } from '../../../contracts/http/billing-answers';
import { add, subtract } from '../../../contracts/money';
import type { EventStore } from '../../../infra/event-store/port';
import { foldInvoice, type InvoiceDocument } from '../../../projections/billing/invoices';
import { collectedAndReversed } from '../../../projections/billing/revenue';
import { REVENUE_TOTALS } from '../../../projections/billing/revenue-buckets';
import type { Views } from '../../../projections/views';
import { contentHash } from './content';

interface WholeInvoice {
  readonly invoice: InvoiceDocument;
  readonly lines: readonly InvoiceLine[];
}

/** An invoice from its own events: what a command answers, without waiting for any projection. */
export async function invoiceFromStream(
  store: Pick<EventStore, 'readStream'>,
  invoiceId: string,
): Promise<WholeInvoice> {
  let invoice: InvoiceDocument | null = null;
  let lines: readonly InvoiceLine[] = [];
  for await (const recorded of store.readStream(invoiceStream(invoiceId))) {
    const event = invoiceEvents.read(recorded);
    invoice = foldInvoice(invoice, event);
    if (event.type === 'InvoiceGenerated') lines = event.data.lines;
  }
  if (!invoice) throw new Error(`invoice ${invoiceId} has no events`);
  return { invoice, lines };
}

export function headOf(invoice: InvoiceDocument): InvoiceHead {
  const { _id, reversedBefore: _, history, ...head } = invoice;
  return { ...head, invoiceId: _id, version: history.length } as InvoiceHead;
}

/**
 * An invoice as it is answered, with what happened to the fees of its period since its snapshot.
 * @param patience milliseconds to wait for the sums to be as new as the snapshot
 * @throws Error when its content does not give the hash it was issued with
 */
export async function invoiceAnswer(
  views: Views,
  { invoice, lines }: WholeInvoice,
  patience: number,
): Promise<Invoice> {
  const head = headOf(invoice);
  if (contentHash({ ...head, lines: [...lines] }) !== head.contentHash)
    throw new Error(`invoice ${head.invoiceId}: the content differs from its hash`);
  const since = await sinceSnapshot(views, invoice, patience);
  return { ...head, lines: [...lines], history: invoice.history, ...since };
}

type Since = Pick<Invoice, 'uninvoicedFeeCount' | 'uninvoicedFee' | 'reversedFeeCount' | 'reversedFee'>;

const UNKNOWN: Since = {
  uninvoicedFeeCount: null,
  uninvoicedFee: null,
  reversedFeeCount: null,
  reversedFee: null,
};

/** False while the sums were older than the snapshot: they may catch up without a change that anybody is told of. */
export const hasSince = ({ status, uninvoicedFeeCount }: Invoice): boolean =>
  status === 'void' || uninvoicedFeeCount !== null;

async function sinceSnapshot(views: Views, invoice: InvoiceDocument, patience: number): Promise<Since> {
  const { status, billingPeriod, ledgerPosition, feeCount, totalFee, reversedBefore: before } = invoice;
  if (status === 'void') return UNKNOWN;
  if (!(await views.reached(REVENUE_TOTALS.name, ledgerPosition, patience))) return UNKNOWN;
  const { collected, reversed } = await collectedAndReversed(views, billingPeriod);
  const reversedFeeCount = reversed.count - before.feeCount;
  const reversedFee = subtract(reversed.totalFee, before.totalFee);
  return {
    uninvoicedFeeCount: collected.count + reversedFeeCount - feeCount,
    uninvoicedFee: subtract(add(collected.totalFee, reversedFee), totalFee),
    reversedFeeCount,
    reversedFee,
  };
}
