import { canonicalDigest } from '../../contracts/canonical-json';
import type { InvoiceHead } from '../../contracts/http/billing-answers';
import {
  INVOICE_CATEGORY,
  invoiceEvents,
  invoiceLinesEvents,
  type InvoiceEvent,
  type InvoiceGenerated,
  type InvoiceLine,
} from '../../contracts/events/invoice';
import type { PersonalText } from '../../contracts/personal-text';
import type { CollectionSpec, Document } from '../../contracts/ports/documents';
import type { RecordedEvent } from '../../contracts/ports/event-store';
import type { EventProjection } from '../projection';
import type { Views } from '../views';
import { newestPeriods, type Paging } from './newest-periods';

type Status = InvoiceHead['status'];
const STATUSES: readonly Status[] = ['draft', 'finalized', 'void'];

type InvoiceChange = {
  readonly event: 'generated' | 'finalized' | 'voided';
  readonly at: string;
  readonly by: string;
  readonly reason: PersonalText | null;
};

/** What is known of an invoice without its lines. Reasons are kept as they are in the events: sealed. */
type InvoiceRecord = Document &
  Omit<InvoiceHead, 'version' | 'voidReason' | 'voidReasonErased'> & {
    readonly voidReason: PersonalText | null;
    readonly reversedBefore: InvoiceGenerated['reversedBefore'];
    readonly drafted: InvoiceGenerated['drafted'];
    readonly history: InvoiceChange[];
  };

/**
 * An invoice without its lines. `contentHash` covers the lines and little beside, `documentHash` everything here: so
 * that a list, which does not load the lines, can tell whether somebody has changed what it shows.
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
 * Lines lie apart: a list of invoices need not load them. Those of each event are one document, so that none grows with the
 * number of merchants; parts of a draft that came to nothing are there, and no invoice tells of them.
 */
export const INVOICE_LINES: CollectionSpec = { name: 'invoice_lines', indexes: [] };

const partId = (invoiceId: string, digest: string, part: number): string => `${invoiceId}/${digest}/${part}`;

/** Whether a document of lines is one of the invoice's. */
export function isOfInvoice(id: string, invoiceId: string): boolean {
  return id === invoiceId || id.startsWith(`${invoiceId}/`);
}

const read = (recorded: RecordedEvent) =>
  recorded.type === 'InvoiceLinesDrafted' ? invoiceLinesEvents.read(recorded) : invoiceEvents.read(recorded);

export const invoicesProjection: EventProjection = {
  name: 'invoices',
  version: 3,
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

/** Null only where there was nothing and the event is not the first of an invoice. */
export function foldInvoice(invoice: InvoiceDocument | null, event: InvoiceEvent): InvoiceDocument | null {
  if (event.type === 'InvoiceGenerated') return hashed(generated(event.data));
  if (!invoice) return null;
  const after = changed(invoice, event);
  // A document that somebody has tampered with keeps the hash it does not have, and is not made good by a new one.
  return isWhole(invoice) ? hashed(after) : { ...after, documentHash: invoice.documentHash };
}

const hashed = (invoice: InvoiceRecord): InvoiceDocument => ({
  ...invoice,
  documentHash: documentHash(invoice),
});

/** Whether the document is as the fold has left it. */
export function isWhole(invoice: InvoiceDocument): boolean {
  return documentHash(invoice) === invoice.documentHash;
}

/** SHA-256, in hex, over the RFC 8785 form of all of the document but the hash itself. */
function documentHash(invoice: InvoiceRecord): string {
  const { documentHash: _, ...said } = invoice;
  return canonicalDigest(said);
}

function changed(
  invoice: InvoiceRecord,
  event: Exclude<InvoiceEvent, { type: 'InvoiceGenerated' }>,
): InvoiceRecord {
  const { at, by } = event.data;
  switch (event.type) {
    case 'InvoiceFinalizationBegun':
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
  return newestPeriods<InvoiceDocument>(views, INVOICES, STATUSES, { status, billingPeriod }, paging);
}

/** An invoice some of whose lines are gone has the others, which its content hash gives away. Null when there is no such invoice. */
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
  // Who has tampered with the number of parts decides nothing about how many are asked for.
  if (!invoice.drafted || !isWhole(invoice)) return { invoice, lines };
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
