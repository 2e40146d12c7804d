import { z } from 'zod';
import { personalText } from '../personal-text';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of invoices: `invoice-<uuid>`, one per invoice. */
export const INVOICE_CATEGORY = 'invoice';

export const invoiceStream = (invoiceId: string): string => `${INVOICE_CATEGORY}-${invoiceId}`;

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
const generated = eventType({
  name: 'InvoiceGenerated',
  schema: z.object({
    ...invoiceContent.shape,
    contentHash: z.string(),
    /** Fees of the period that were collected and reversed before the snapshot; what comes later is counted from here. */
    reversedBefore: z.object({ feeCount: z.int(), totalFee: z.string() }),
    at: z.string(),
    by: z.string(),
  }),
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
export type InvoiceGenerated = EventOf<typeof generated>['data'];
export type InvoiceEvent = EventOf<
  typeof generated | typeof finalizationBegun | typeof finalized | typeof voided
>;
