import { z } from 'zod';
import { personalText } from '../personal-text';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of invoices: `invoice-<uuid>`, one per invoice. */
export const INVOICE_CATEGORY = 'invoice';

export function invoiceStream(invoiceId: string): string {
  return `${INVOICE_CATEGORY}-${invoiceId}`;
}

/**
 * Lines of an invoice that are too many for one event; written before the invoice, and nothing as long as none names them.
 * @param digest SHA-256, in hex, over the RFC 8785 form of all the parts: equal parts are the same stream
 */
export function invoiceLinesStream(invoiceId: string, digest: string): string {
  return `${invoiceStream(invoiceId)}-lines-${digest}`;
}

const invoiceLine = z.object({
  merchantId: z.string(),
  merchantName: z.string(),
  merchantSlug: z.string(),
  feeType: z.string(),
  feeCount: z.int(),
  totalFee: z.string(),
  totalGross: z.string(),
});
export type InvoiceLine = z.output<typeof invoiceLine>;

/** What an invoice says: a snapshot of the collected fees of a period, which `contentHash` is the digest of. */
const invoiceContent = z.object({
  invoiceId: z.string(),
  billingPeriod: z.string(),
  currency: z.string(),
  timeZone: z.string(),
  periodStart: z.string(),
  periodEnd: z.string(),
  /** The events of fees up to and including this position are what the lines are made of. */
  ledgerPosition: z.int(),
  feeCount: z.int(),
  totalFee: z.string(),
  totalGross: z.string(),
  replacesInvoiceId: z.string().nullable(),
  lines: z.array(invoiceLine),
});
export type InvoiceContent = z.output<typeof invoiceContent>;

const done = { invoiceId: z.string(), billingPeriod: z.string(), at: z.string(), by: z.string() };

// These types are the storage format.
/** One part of the lines of a draft, all of whose parts have the digest. The first one is part 0. */
const linesDrafted = eventType({
  name: 'InvoiceLinesDrafted',
  schema: z.object({
    invoiceId: z.string(),
    billingPeriod: z.string(),
    digest: z.string(),
    part: z.int(),
    lines: z.array(invoiceLine),
  }),
});
const generated = eventType({
  name: 'InvoiceGenerated',
  version: 2,
  schema: z.object({
    ...invoiceContent.shape,
    /** The lines that come before those of this event, in so many parts; null when there are none. */
    drafted: z.object({ digest: z.string(), parts: z.int() }).nullable(),
    contentHash: z.string(),
    /** Fees of the period that were collected and reversed before the snapshot; what comes later is counted from here. */
    reversedBefore: z.object({ feeCount: z.int(), totalFee: z.string() }),
    at: z.string(),
    by: z.string(),
  }),
  // Version 1 held all lines itself.
  upcasts: { 1: data => ({ ...data, drafted: null }) },
});
/** The invoice will be finalised and nothing else may happen to it first: its number can now be taken without a gap. */
const finalizationBegun = eventType({
  name: 'InvoiceFinalizationBegun',
  schema: z.object({ ...done, issuedOn: z.string() }),
});
const finalized = eventType({
  name: 'InvoiceFinalized',
  schema: z.object({ ...done, number: z.string() }),
});
const voided = eventType({
  name: 'InvoiceVoided',
  version: 2,
  schema: z.object({ ...done, reason: personalText.nullable() }),
  // Version 1 held the reason as it was given.
  upcasts: {
    1: ({ reason, ...data }) => ({ ...data, reason: typeof reason === 'string' ? { plain: reason } : null }),
  },
});

export const invoiceEvents = eventFamily(generated, finalizationBegun, finalized, voided);
/** Of the streams of lines. */
export const invoiceLinesEvents = eventFamily(linesDrafted);
export type InvoiceGenerated = EventOf<typeof generated>['data'];
export type InvoiceEvent = EventOf<
  typeof generated | typeof finalizationBegun | typeof finalized | typeof voided
>;
