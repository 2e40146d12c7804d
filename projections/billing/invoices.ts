import type { InvoiceHead } from '../../contracts/http/billing-answers';
import {
  INVOICE_CATEGORY,
  invoiceEvents,
  type InvoiceEvent,
  type InvoiceGenerated,
  type InvoiceLine,
} from '../../contracts/events/invoice';
import type { CollectionSpec, Document } from '../../infra/documents/port';
import type { EventProjection } from '../projection';
import type { Views } from '../views';

type Status = InvoiceHead['status'];
const STATUSES: readonly Status[] = ['draft', 'finalized', 'void'];

type InvoiceChange = {
  readonly event: 'generated' | 'finalized' | 'voided';
  readonly at: string;
  readonly by: string;
  readonly reason: string | null;
};

/** An invoice without its lines. */
export type InvoiceDocument = Document &
  Omit<InvoiceHead, 'version'> & {
    readonly reversedBefore: InvoiceGenerated['reversedBefore'];
    readonly history: InvoiceChange[];
  };

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

/** Lines lie apart: a list of invoices need not load them. */
export const INVOICE_LINES: CollectionSpec = { name: 'invoice_lines', indexes: [] };

export const invoicesProjection: EventProjection = {
  name: 'invoices',
  version: 1,
  categories: [INVOICE_CATEGORY],
  collections: [INVOICES, INVOICE_LINES],

  touches(recorded) {
    const { type, data } = invoiceEvents.read(recorded);
    const head = { collection: INVOICES.name, id: data.invoiceId };
    return type === 'InvoiceGenerated'
      ? [head, { collection: INVOICE_LINES.name, id: data.invoiceId }]
      : [head];
  },

  fold(document, recorded, { collection, id }) {
    const event = invoiceEvents.read(recorded);
    if (collection === INVOICES.name) return foldInvoice(document as InvoiceDocument | null, event);
    return event.type === 'InvoiceGenerated' ? { _id: id, lines: event.data.lines } : document;
  },
};

/** Null only where there was nothing and the event is not the first of an invoice. */
export function foldInvoice(invoice: InvoiceDocument | null, event: InvoiceEvent): InvoiceDocument | null {
  if (event.type === 'InvoiceGenerated') return generated(event.data);
  if (!invoice) return null;
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

function generated({ lines: _, at, by, ...content }: InvoiceGenerated): InvoiceDocument {
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
export async function listInvoices(
  views: Views,
  filter: { readonly status?: Status | undefined; readonly billingPeriod?: string | undefined },
  { page, pageSize }: { readonly page: number; readonly pageSize: number },
): Promise<{ readonly invoices: readonly InvoiceDocument[]; readonly total: number }> {
  const { status, billingPeriod } = filter;
  const total = await views.count(INVOICES.name, {
    ...(status !== undefined && { status }),
    ...(billingPeriod !== undefined && { billingPeriod }),
  });
  const skip = (page - 1) * pageSize;
  if (skip >= total) return { invoices: [], total };
  const { documents } = await views.find<InvoiceDocument>(INVOICES.name, {
    filter: {
      status: status ?? { in: STATUSES },
      ...(billingPeriod !== undefined && { billingPeriod }),
    },
    order: [
      ['billingPeriod', 'desc'],
      ['createdAt', 'desc'],
    ],
    limit: pageSize,
    skip,
  });
  return { invoices: documents, total };
}

export async function getInvoice(
  views: Views,
  invoiceId: string,
): Promise<{ readonly invoice: InvoiceDocument; readonly lines: readonly InvoiceLine[] } | null> {
  const [invoice, lines] = await Promise.all([
    views.get<InvoiceDocument>(INVOICES.name, invoiceId),
    views.get<InvoiceLines>(INVOICE_LINES.name, invoiceId),
  ]);
  return invoice && lines && { invoice, lines: lines.lines };
}
