import type { JsonObject } from '../../../contracts/json/json';
import type { Samples } from '../sample';

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
export const ENCRYPTED = { subject: 'bob', ciphertext: 'v1.AAAAAAAAAAAAAAAA.c2VhbGVk' };

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
    drafted: null,
    contentHash: 'aa',
    reversedBefore: { feeCount: 2, totalFee: '3.00' },
    at: '2026-12-01T09:00:00.000Z',
    by: 'ann',
  },
  InvoiceFinalizationStarted: { ...DONE, issuedOn: '2026-12-02' },
  InvoiceFinalized: { ...DONE, number: 'INV-202612-0001' },
  InvoiceVoided: { ...DONE, reason: ENCRYPTED },
} satisfies Record<string, JsonObject>;

const DRAFTED = { digest: 'bb', parts: 1 };

/** An invoice with more lines than fit into one event. */
export const INVOICE_IN_PARTS = {
  InvoiceLinesDrafted: {
    invoiceId: 'i-1',
    billingPeriod: '2026-11',
    digest: 'bb',
    part: 0,
    lines: [{ ...LINE, feeType: 'a' }],
  },
  InvoiceGenerated: { ...INVOICE.InvoiceGenerated, drafted: DRAFTED },
} satisfies Record<string, JsonObject>;

const PERIOD = { invoiceId: 'i-1', billingPeriod: '2026-11' };

export const INVOICE_SAMPLES: Samples = {
  InvoiceGenerated: [
    { v: 1, data: INVOICE.InvoiceGenerated },
    {
      v: 1,
      data: { ...INVOICE.InvoiceGenerated, invoiceId: 'i-2', replacesInvoiceId: 'i-1', lines: [] },
    },
    { v: 1, data: INVOICE_IN_PARTS.InvoiceGenerated },
  ],
  InvoiceLinesDrafted: [{ v: 1, data: INVOICE_IN_PARTS.InvoiceLinesDrafted }],
  InvoiceFinalizationStarted: [{ v: 1, data: INVOICE.InvoiceFinalizationStarted }],
  InvoiceFinalized: [{ v: 1, data: INVOICE.InvoiceFinalized }],
  InvoiceVoided: [
    { v: 1, data: INVOICE.InvoiceVoided },
    { v: 1, data: { ...DONE, reason: null } },
  ],
  InvoicePeriodReserved: [{ v: 1, data: PERIOD }],
  InvoicePeriodReleased: [{ v: 1, data: PERIOD }],
  InvoiceNumberAssigned: [{ v: 1, data: { invoiceId: 'i-1', sequence: 1, number: 'INV-202612-0001' } }],
};
