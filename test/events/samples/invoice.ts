import type { JsonObject } from '../../../contracts/json';
import type { Samples } from '../sample';

/** Stored events as they are in stores for ever: these samples are never edited, only added to. */
export const DONE = { invoiceId: 'i-1', billingPeriod: '2026-11', at: '2026-12-02T09:00:00.000Z', by: 'bob' };
const LINE = {
  merchantId: 'm-1',
  merchantName: 'Espresso & Co',
  merchantSlug: 'espresso',
  feeType: 'creation',
  feeCount: 1,
  totalFee: '1.50',
  totalGross: '100.00',
};
const SEALED = { subject: 'bob', sealed: 'v1.AAAAAAAAAAAAAAAA.c2VhbGVk' };

/** Of version 1. */
export const INVOICE = {
  InvoiceGenerated: {
    invoiceId: 'i-1',
    billingPeriod: '2026-11',
    currency: 'USD',
    timeZone: 'UTC',
    periodStart: '2026-11-01T00:00:00.000Z',
    periodEnd: '2026-12-01T00:00:00.000Z',
    ledgerPosition: 7,
    feeCount: 1,
    totalFee: '1.50',
    totalGross: '100.00',
    replacesInvoiceId: null,
    lines: [LINE],
    contentHash: 'aa',
    reversedBefore: { feeCount: 2, totalFee: '3.00' },
    at: '2026-12-01T09:00:00.000Z',
    by: 'ann',
  },
  InvoiceFinalizationBegun: { ...DONE, issuedOn: '2026-12-02' },
  InvoiceFinalized: { ...DONE, number: 'INV-202612-0001' },
  InvoiceVoided: { ...DONE, reason: 'twice' },
} satisfies Record<string, JsonObject>;

const { lines: _, ...SAID } = INVOICE.InvoiceGenerated;
const DRAFTED = { digest: 'bb', parts: 1 };

/** Of version 1 of the lines, and of version 2 of the invoice that they are of. */
export const INVOICE_IN_PARTS = {
  InvoiceLinesDrafted: {
    invoiceId: 'i-1',
    billingPeriod: '2026-11',
    digest: 'bb',
    part: 0,
    lines: [{ ...LINE, feeType: 'a' }],
  },
  InvoiceGenerated: { ...SAID, drafted: DRAFTED, lines: [LINE] },
} satisfies Record<string, JsonObject>;

const PERIOD = { invoiceId: 'i-1', billingPeriod: '2026-11' };

export const INVOICE_SAMPLES: Samples = {
  InvoiceGenerated: [
    {
      v: 1,
      data: INVOICE.InvoiceGenerated,
      latest: { ...INVOICE.InvoiceGenerated, drafted: null },
    },
    {
      v: 1,
      data: { ...INVOICE.InvoiceGenerated, invoiceId: 'i-2', replacesInvoiceId: 'i-1', lines: [] },
      latest: {
        ...INVOICE.InvoiceGenerated,
        invoiceId: 'i-2',
        replacesInvoiceId: 'i-1',
        lines: [],
        drafted: null,
      },
    },
    { v: 2, data: INVOICE_IN_PARTS.InvoiceGenerated },
    { v: 2, data: { ...INVOICE.InvoiceGenerated, drafted: null } },
  ],
  InvoiceLinesDrafted: [{ v: 1, data: INVOICE_IN_PARTS.InvoiceLinesDrafted }],
  InvoiceFinalizationBegun: [{ v: 1, data: INVOICE.InvoiceFinalizationBegun }],
  InvoiceFinalized: [{ v: 1, data: INVOICE.InvoiceFinalized }],
  InvoiceVoided: [
    { v: 1, data: INVOICE.InvoiceVoided, latest: { ...DONE, reason: { plain: 'twice' } } },
    { v: 1, data: { ...DONE, reason: null } },
    { v: 2, data: { ...DONE, reason: SEALED } },
    { v: 2, data: { ...DONE, reason: null } },
  ],
  InvoicePeriodReserved: [{ v: 1, data: PERIOD }],
  InvoicePeriodReleased: [{ v: 1, data: PERIOD }],
  InvoiceNumberAssigned: [{ v: 1, data: { invoiceId: 'i-1', sequence: 1, number: 'INV-202612-0001' } }],
};
