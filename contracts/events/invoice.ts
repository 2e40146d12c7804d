import { z } from 'zod';
import { encryptedText } from '../text/personal-text';
import { decimal } from './decimal';
import { eventFamily, eventType, type EventOf } from './event-type';
import { month } from './month';

/** The category of the streams of invoices: `invoice-<uuid>`, one per invoice. */
export const INVOICE_CATEGORY = 'invoice';

export function invoiceStream(invoiceId: string): string {
  return `${INVOICE_CATEGORY}-${invoiceId}`;
}

/**
 * Lines of an invoice that are too many for one event. Written before the invoice, and without effect until it refers to them.
 * @param digest SHA-256, in hex, of the canonical JSON (RFC 8785) of all parts: equal parts are the same stream
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
  totalFee: decimal,
  totalGross: decimal,
});
export type InvoiceLine = z.output<typeof invoiceLine>;

/** The content of an invoice, which `contentHash` is the digest of: a snapshot of the collected fees of a period. */
const invoiceContent = z.object({
  invoiceId: z.string(),
  billingPeriod: month,
  currency: z.string(),
  timeZone: z.string(),
  periodStart: z.string(),
  periodEnd: z.string(),
  /** The lines are computed from the events of fees up to and including this position. */
  ledgerPosition: z.int(),
  feeCount: z.int(),
  totalFee: decimal,
  totalGross: decimal,
  replacesInvoiceId: z.string().nullable(),
  lines: z.array(invoiceLine),
});
export type InvoiceContent = z.output<typeof invoiceContent>;

const done = { invoiceId: z.string(), billingPeriod: month, at: z.string(), by: z.string() };

// These types are the storage format.
/** One part of the lines of a draft; the digest is that of all parts. The first one is part 0. */
const linesDrafted = eventType({
  name: 'InvoiceLinesDrafted',
  schema: z.object({
    invoiceId: z.string(),
    billingPeriod: month,
    digest: z.string(),
    part: z.int(),
    lines: z.array(invoiceLine),
  }),
});
const generated = eventType({
  name: 'InvoiceGenerated',
  schema: z.object({
    ...invoiceContent.shape,
    /** The parts with the lines that come before those of this event; null when there are none. */
    drafted: z.object({ digest: z.string(), parts: z.int() }).nullable(),
    contentHash: z.string(),
    /** Fees of the period that were collected and reversed before the snapshot. */
    reversedBefore: z.object({ feeCount: z.int(), totalFee: decimal }),
    at: z.string(),
    by: z.string(),
  }),
});
/** From now on the invoice can only be finalized, so its number can be assigned without a gap. */
const finalizationStarted = eventType({
  name: 'InvoiceFinalizationStarted',
  schema: z.object({ ...done, issuedOn: z.string() }),
});
const finalized = eventType({
  name: 'InvoiceFinalized',
  schema: z.object({ ...done, number: z.string() }),
});
const voided = eventType({
  name: 'InvoiceVoided',
  schema: z.object({ ...done, reason: encryptedText.nullable() }),
});

export const invoiceEvents = eventFamily(generated, finalizationStarted, finalized, voided);
/** Events of the streams of lines. */
export const invoiceLinesEvents = eventFamily(linesDrafted);
export type InvoiceGenerated = EventOf<typeof generated>['data'];
export type InvoiceLinesDrafted = EventOf<typeof linesDrafted>;
export type InvoiceEvent = EventOf<
  typeof generated | typeof finalizationStarted | typeof finalized | typeof voided
>;
