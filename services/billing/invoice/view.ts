import { invoiceEvents, invoiceStream, type InvoiceLine } from '../../../contracts/events/invoice';
import type { Invoice } from '../../../contracts/http/billing-answers';
import { add, subtract } from '../../../contracts/money';
import type { Position } from '../../../contracts/position';
import type { EventStore } from '../../../contracts/ports/event-store';
import { foldInvoice, isWhole, type InvoiceDocument } from '../../../projections/billing/invoices';
import { collectedAndReversed } from '../../../projections/billing/revenue';
import { REVENUE_TOTALS } from '../../../projections/billing/revenue-buckets';
import type { Views } from '../../../projections/views';
import { contentHash } from './content';
import { ledgerDamaged } from './damaged';
import { linesOf } from './parts';
import type { SealedHead, SealedInvoice } from './reasons';

interface WholeInvoice {
  readonly invoice: InvoiceDocument;
  readonly lines: readonly InvoiceLine[];
}

/**
 * An invoice from its own events: what a command answers, without waiting for any projection.
 * @param position of the last event that counts
 */
export async function invoiceFromStream(
  store: Pick<EventStore, 'readStream'>,
  invoiceId: string,
  position: Position,
): Promise<WholeInvoice> {
  let invoice: InvoiceDocument | null = null;
  let lines: readonly InvoiceLine[] = [];
  for await (const recorded of store.readStream(invoiceStream(invoiceId))) {
    if (recorded.position > position) break;
    const event = invoiceEvents.read(recorded);
    invoice = foldInvoice(invoice, event);
    if (event.type === 'InvoiceGenerated') lines = await linesOf(store, event.data);
  }
  if (!invoice) throw new Error(`invoice ${invoiceId} has no events`);
  return { invoice, lines };
}

/** @throws Problem 503 `ledger_damaged` when the document is not what was stored */
export function headOf(invoice: InvoiceDocument): SealedHead {
  const { _id, reversedBefore: _, drafted: __, documentHash: ___, history, ...head } = invoice;
  if (!isWhole(invoice)) throw ledgerDamaged(_id);
  return { ...head, invoiceId: _id, version: history.length, voidReasonErased: false };
}

/**
 * An invoice as it is answered, with what happened to the fees of its period since its snapshot.
 * @param patience milliseconds to wait for the sums to be as new as the snapshot
 * @throws Problem 503 `ledger_damaged` when its content does not give the hash it was issued with
 */
export async function invoiceAnswer(
  views: Views,
  { invoice, lines }: WholeInvoice,
  patience: number,
): Promise<SealedInvoice> {
  const head = headOf(invoice);
  if (contentHash({ ...head, lines: [...lines] }) !== head.contentHash) throw ledgerDamaged(head.invoiceId);
  const since = await sinceSnapshot(views, invoice, patience);
  const history = invoice.history.map(change => ({ ...change, reasonErased: false }));
  return { ...head, lines: [...lines], history, ...since };
}

type Since = Pick<Invoice, 'uninvoicedFeeCount' | 'uninvoicedFee' | 'reversedFeeCount' | 'reversedFee'>;

const UNKNOWN: Since = {
  uninvoicedFeeCount: null,
  uninvoicedFee: null,
  reversedFeeCount: null,
  reversedFee: null,
};

/** False while the sums were older than the snapshot: they may catch up without a change that anybody is told of. */
export function hasSince({ status, uninvoicedFeeCount }: SealedInvoice): boolean {
  return status === 'void' || uninvoicedFeeCount !== null;
}

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
