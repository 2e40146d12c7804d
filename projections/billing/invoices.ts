import { canonicalDigest } from '../../contracts/json/canonical-json';
import type { InvoiceHead } from '../../contracts/http/billing/responses';
import {
  INVOICE_CATEGORY,
  invoiceEvents,
  invoiceLinesEvents,
  type InvoiceEvent,
  type InvoiceGenerated,
  type InvoiceLine,
} from '../../contracts/events/invoice';
import type { EncryptedText } from '../../contracts/text/personal-text';
import type { CollectionSpec, Document } from '../../contracts/ports/documents';
import type { RecordedEvent } from '../../contracts/ports/event-store';
import type { EventProjection } from '../projection';
import type { Views } from '../views';
import { listByPeriod, type Paging } from './list-by-period';

type Status = InvoiceHead['status'];
const STATUSES: readonly Status[] = ['draft', 'finalized', 'void'];

type InvoiceChange = {
  readonly event: 'generated' | 'finalized' | 'voided';
  readonly at: string;
  readonly by: string;
  readonly reason: EncryptedText | null;
};

/** An invoice without its lines and hash. Reasons stay encrypted. */
type InvoiceRecord = Document &
  Omit<InvoiceHead, 'version' | 'voidReason' | 'voidReasonErased'> & {
    readonly voidReason: EncryptedText | null;
    readonly reversedBefore: InvoiceGenerated['reversedBefore'];
    readonly drafted: InvoiceGenerated['drafted'];
    readonly history: InvoiceChange[];
  };

/**
 * An invoice without its lines. `contentHash` covers the content with its lines, `documentHash` everything here: a list
 * does not load the lines and can still detect a changed document.
 */
export type InvoiceDocument = InvoiceRecord & { readonly documentHash: string };

type InvoiceLines = Document & { readonly lines: InvoiceLine[] };

export const INVOICES: CollectionSpec = {
  name: 'invoices',
  indexes: [
    {
      fields: [
        ['status', 'asc'],
        ['billingPeriod', 'desc'],
        ['createdAt', 'desc'],
      ],
    },
  ],
  counts: [[], ['status'], ['billingPeriod'], ['status', 'billingPeriod']],
};

/**
 * Lines are stored apart, so that a list of invoices need not load them: a document per event, so that none grows with
 * the number of merchants. Parts of an abandoned draft stay, but no invoice refers to them.
 */
export const INVOICE_LINES: CollectionSpec = { name: 'invoice_lines', indexes: [] };

const partId = (invoiceId: string, digest: string, part: number): string => `${invoiceId}/${digest}/${part}`;

/** Whether a document of lines belongs to the invoice. */
export function isOfInvoice(id: string, invoiceId: string): boolean {
  return id === invoiceId || id.startsWith(`${invoiceId}/`);
}

const read = (recorded: RecordedEvent) =>
  recorded.type === 'InvoiceLinesDrafted' ? invoiceLinesEvents.read(recorded) : invoiceEvents.read(recorded);

export const invoicesProjection: EventProjection = {
  name: 'invoices',
  version: 1,
  categories: [INVOICE_CATEGORY],
  collections: [INVOICES, INVOICE_LINES],

  touches(recorded) {
    const { type, data } = read(recorded);
    const { invoiceId } = data;
    if (type === 'InvoiceLinesDrafted')
      return [{ collection: INVOICE_LINES.name, id: partId(invoiceId, data.digest, data.part) }];
    const head = { collection: INVOICES.name, id: invoiceId };
    return type === 'InvoiceGenerated' ? [head, { collection: INVOICE_LINES.name, id: invoiceId }] : [head];
  },

  fold(document, recorded, { collection, id }) {
    const event = read(recorded);
    if (event.type === 'InvoiceLinesDrafted') return { _id: id, lines: event.data.lines };
    if (collection === INVOICES.name) return foldInvoice(document as InvoiceDocument | null, event);
    return event.type === 'InvoiceGenerated' ? { _id: id, lines: event.data.lines } : document;
  },
};

/** Null for an event of an invoice that was not generated. */
export function foldInvoice(invoice: InvoiceDocument | null, event: InvoiceEvent): InvoiceDocument | null {
  if (event.type === 'InvoiceGenerated') return withHash(generated(event.data));
  if (!invoice) return null;
  const after = changed(invoice, event);
  // A tampered document keeps its wrong hash, so that a later event does not hide the change.
  return isIntact(invoice) ? withHash(after) : { ...after, documentHash: invoice.documentHash };
}

const withHash = (invoice: InvoiceRecord): InvoiceDocument => ({
  ...invoice,
  documentHash: documentHash(invoice),
});

/** Whether the document is what the fold wrote. */
export function isIntact(invoice: InvoiceDocument): boolean {
  return documentHash(invoice) === invoice.documentHash;
}

/** SHA-256, in hex, of the canonical JSON (RFC 8785) of the document without the hash itself. */
function documentHash(invoice: InvoiceRecord): string {
  const { documentHash: _, ...content } = invoice;
  return canonicalDigest(content);
}

function changed(
  invoice: InvoiceRecord,
  event: Exclude<InvoiceEvent, { type: 'InvoiceGenerated' }>,
): InvoiceRecord {
  const { at, by } = event.data;
  switch (event.type) {
    case 'InvoiceFinalizationStarted':
      return invoice;
    case 'InvoiceFinalized':
      return {
        ...invoice,
        status: 'finalized',
        number: event.data.number,
        finalizedAt: at,
        finalizedBy: by,
        history: [...invoice.history, { event: 'finalized', at, by, reason: null }],
      };
    case 'InvoiceVoided':
      return {
        ...invoice,
        status: 'void',
        voidedAt: at,
        voidedBy: by,
        voidReason: event.data.reason,
        history: [...invoice.history, { event: 'voided', at, by, reason: event.data.reason }],
      };
  }
}

function generated({ lines: _, at, by, ...content }: InvoiceGenerated): InvoiceRecord {
  return {
    _id: content.invoiceId,
    ...content,
    number: null,
    status: 'draft',
    createdAt: at,
    createdBy: by,
    finalizedAt: null,
    finalizedBy: null,
    voidedAt: null,
    voidedBy: null,
    voidReason: null,
    history: [{ event: 'generated', at, by, reason: null }],
  };
}

/** Newest period first. A page past the end has no rows. */
export function listInvoices(
  views: Views,
  {
    status,
    billingPeriod,
  }: { readonly status?: Status | undefined; readonly billingPeriod?: string | undefined },
  paging: Paging,
) {
  return listByPeriod<InvoiceDocument>(views, INVOICES, STATUSES, { status, billingPeriod }, paging);
}

/** Missing lines are left out, which the content hash reveals. Null when there is no such invoice. */
export async function getInvoice(
  views: Views,
  invoiceId: string,
): Promise<{ readonly invoice: InvoiceDocument; readonly lines: readonly InvoiceLine[] } | null> {
  const [invoice, last] = await Promise.all([
    views.get<InvoiceDocument>(INVOICES.name, invoiceId),
    views.get<InvoiceLines>(INVOICE_LINES.name, invoiceId),
  ]);
  if (!invoice) return null;
  const lines = last?.lines ?? [];
  // The number of parts of a tampered document is not trusted.
  if (!invoice.drafted || !isIntact(invoice)) return { invoice, lines };
  return { invoice, lines: [...(await partsOf(views, invoiceId, invoice.drafted)), ...lines] };
}

async function partsOf(
  views: Views,
  invoiceId: string,
  { digest, parts }: NonNullable<InvoiceGenerated['drafted']>,
): Promise<InvoiceLine[]> {
  const ids = Array.from({ length: parts }, (_, part) => partId(invoiceId, digest, part));
  const found = await views.getMany<InvoiceLines>(INVOICE_LINES.name, ids);
  return ids.flatMap(id => found.get(id)?.lines ?? []);
}
