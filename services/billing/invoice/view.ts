import { invoiceEvents, invoiceStream, type InvoiceLine } from '../../../contracts/events/invoice';
import type { Invoice } from '../../../contracts/http/billing/responses';
import { subtract } from '../../../contracts/money/money';
import type { Position } from '../../../contracts/position';
import { Problem } from '../../../contracts/problem/problem';
import type { EventStore } from '../../../contracts/ports/event-store';
import { FEE_LEDGER, reversedSince } from '../../../projections/billing/fee-ledger';
import { foldInvoice, isIntact, type InvoiceDocument } from '../../../projections/billing/invoices';
import { collectedAndReversed } from '../../../projections/billing/revenue';
import { REVENUE_TOTALS } from '../../../projections/billing/revenue-buckets';
import { Tally } from '../../../projections/billing/totals';
import type { Views } from '../../../projections/views';
import { contentHash } from './content-hash';
import { linesOf } from './parts';
import type { EncryptedInvoiceHead, EncryptedInvoice } from './decrypt';

interface InvoiceWithLines {
  readonly invoice: InvoiceDocument;
  readonly lines: readonly InvoiceLine[];
}

/**
 * An invoice from its own events, as commands return it, without waiting for a projection.
 * @param position of the last event to include
 */
export async function invoiceFromStream(
  store: Pick<EventStore, 'readStream'>,
  invoiceId: string,
  position: Position,
): Promise<InvoiceWithLines> {
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

/** @throws Problem 503 `ledger_damaged` when the document was changed */
export function headOf(invoice: InvoiceDocument): EncryptedInvoiceHead {
  const { _id, reversedBefore: _, drafted: __, documentHash: ___, history, ...head } = invoice;
  if (!isIntact(invoice)) throw ledgerDamaged(_id);
  return { ...head, invoiceId: _id, version: history.length, voidReasonErased: false };
}

/**
 * An invoice as it is returned, with the changes of the fees of its period since its snapshot.
 * @param waitMs milliseconds to wait for the sums to be as new as the snapshot
 * @throws Problem 503 `ledger_damaged` when the content does not match its hash
 */
export async function invoiceResponse(
  views: Views,
  { invoice, lines }: InvoiceWithLines,
  waitMs: number,
): Promise<EncryptedInvoice> {
  const head = headOf(invoice);
  if (contentHash({ ...head, lines: [...lines] }) !== head.contentHash) throw ledgerDamaged(head.invoiceId);
  const since = await changesSinceSnapshot(views, invoice, waitMs);
  const history = invoice.history.map(change => ({ ...change, reasonErased: false }));
  return { ...head, lines: [...lines], history, ...since };
}

type ChangesSinceSnapshot = Pick<
  Invoice,
  'uninvoicedFeeCount' | 'uninvoicedFee' | 'reversedFeeCount' | 'reversedFee'
>;

const UNKNOWN: ChangesSinceSnapshot = {
  uninvoicedFeeCount: null,
  uninvoicedFee: null,
  reversedFeeCount: null,
  reversedFee: null,
};

/** False while they are not known; the sums may catch up without a change notification. */
export function hasChangesSinceSnapshot({ status, uninvoicedFeeCount }: EncryptedInvoice): boolean {
  return status === 'void' || uninvoicedFeeCount !== null;
}

async function changesSinceSnapshot(
  views: Views,
  invoice: InvoiceDocument,
  waitMs: number,
): Promise<ChangesSinceSnapshot> {
  const { status, billingPeriod, ledgerPosition, feeCount, totalFee, reversedBefore: before } = invoice;
  if (status === 'void') return UNKNOWN;
  if (!(await views.waitForPosition(REVENUE_TOTALS.name, ledgerPosition, waitMs))) return UNKNOWN;
  // Rows of another version do not say when they were collected, which matters only if any was reversed since.
  const isOutdated = await views.isOutdated([FEE_LEDGER.name]);
  let ofInvoice: Tally;
  let sums = await collectedAndReversed(views, billingPeriod);
  let reversedBeforeRows: number;
  // Sums and rows are read one after the other: a fee of the invoice that is reversed meanwhile must be in both.
  do {
    reversedBeforeRows = sums.reversed.count;
    ofInvoice = isOutdated ? new Tally() : await reversedSince(views, billingPeriod, ledgerPosition);
    sums = await collectedAndReversed(views, billingPeriod);
  } while (sums.reversed.count !== reversedBeforeRows);
  const { collected, reversed } = sums;
  if (isOutdated && reversed.count > before.feeCount) return UNKNOWN;
  const invoiced = { count: feeCount - ofInvoice.count, fee: subtract(totalFee, ofInvoice.totalFee) };
  return {
    uninvoicedFeeCount: collected.count - invoiced.count,
    uninvoicedFee: subtract(collected.totalFee, invoiced.fee),
    reversedFeeCount: ofInvoice.count,
    reversedFee: ofInvoice.totalFee,
  };
}

/** The stored document was changed. `tidemark rebuild invoices` rebuilds it from the events; until then it is not shown. */
function ledgerDamaged(invoiceId: string): Problem {
  return new Problem(
    'ledger_damaged',
    `The stored invoice ${invoiceId} does not match its hash; the operator can rebuild it with \`tidemark rebuild invoices\`.`,
    { extra: { invoiceId } },
  );
}
