import { z } from 'zod';
import type { AdminAction, FileAction } from './access';
import {
  billingPeriod,
  collectionStatus,
  feeRowId,
  feeType,
  identifier,
  instant,
  invoiceId,
  invoiceStatus,
  paged,
  proved,
  slug,
  total,
} from './fields';
import { auditPage, feeHistory } from './history';
import { MERCHANT_RESPONSES } from './merchants';
import { SETTLEMENT_RESPONSES } from './settlements';

const revenue = z.object({
  summary: z.array(
    z.object({
      fee_type: feeType,
      collection_status: collectionStatus,
      count: z.int(),
      total_fee: total,
      total_gross: total,
    }),
  ),
  byMerchant: z.array(
    z.object({
      merchant_id: identifier,
      merchant_name: z.string(),
      fee_count: z.int(),
      collected: total,
      pending: total,
    }),
  ),
});
export type Revenue = z.output<typeof revenue>;

const feeRow = z
  .object({
    id: feeRowId,
    fee_type: feeType,
    collection_status: collectionStatus,
    fee_amount: total,
    gross_amount: total,
    billing_period: billingPeriod,
    created_at: instant,
    merchant_id: identifier,
    merchant_name: z.string(),
    merchant_slug: slug,
  })
  .meta({ id: 'FeeRow' });
export type FeeRow = z.output<typeof feeRow>;

const csvExport = z.object({
  /** RFC 4180: CRLF, header always, newest first. */
  csv: z.string(),
  rowCount: z.int(),
  /** True when there are more rows than an export may have. */
  truncated: z.boolean(),
  /**
   * Present when it is truncated: the same request with it has the next rows. All parts are of the ledger as of the position
   * of the first one, whatever is recorded meanwhile.
   */
  cursor: z.string().optional(),
});

const invoiceHead = z.object({
  invoiceId,
  billingPeriod,
  number: z.string().nullable(),
  status: invoiceStatus,
  currency: z.string(),
  feeCount: z.int(),
  totalFee: total,
  totalGross: total,
  periodStart: instant,
  periodEnd: instant,
  timeZone: z.string(),
  ledgerPosition: z.int(),
  createdAt: instant,
  createdBy: z.string(),
  finalizedAt: instant.nullable(),
  finalizedBy: z.string().nullable(),
  voidedAt: instant.nullable(),
  voidedBy: z.string().nullable(),
  voidReason: z.string().nullable(),
  /** True when there was a reason and `tidemark erase` has erased it. */
  voidReasonErased: z.boolean(),
  replacesInvoiceId: invoiceId.nullable(),
  /** SHA-256, in hex, over the RFC 8785 form of the content fields. */
  contentHash: z.string().regex(/^[0-9a-f]{64}$/),
  version: z.int(),
});
export type InvoiceHead = z.output<typeof invoiceHead>;

const invoice = invoiceHead
  .extend({
    lines: z.array(
      z.object({
        merchantId: identifier,
        merchantName: z.string(),
        merchantSlug: slug,
        feeType,
        feeCount: z.int(),
        totalFee: total,
        totalGross: total,
      }),
    ),
    history: z.array(
      z.object({
        event: z.enum(['generated', 'finalized', 'voided']),
        at: instant,
        by: z.string(),
        reason: z.string().nullable(),
        reasonErased: z.boolean(),
      }),
    ),
    /**
     * Uninvoiced are the rows of the period that are collected and not on the invoice: a replacement would include them.
     * Reversed are the fees on the invoice that were reversed in place since its snapshot: a replacement would not include
     * them. A fee that was collected and reversed after the snapshot is neither. A fee of the invoice that is reversed
     * later stays on it, and its adjustment is a row of the month of the reversal. Null once the invoice is void, and while
     * they are not known: until the sums are as new as the snapshot, and in an upgrade until the fees are folded again.
     */
    uninvoicedFeeCount: z.int().nullable(),
    uninvoicedFee: total.nullable(),
    reversedFeeCount: z.int().nullable(),
    reversedFee: total.nullable(),
  })
  .meta({ id: 'Invoice' });
export type Invoice = z.output<typeof invoice>;

const invoiceResponse = z.object({ invoice }).extend(proved).meta({ id: 'InvoiceResponse' });

/** What `generate_invoice` would draft as of `ledgerPosition`. */
const invoicePreview = z
  .object({
    preview: invoice
      .pick({
        billingPeriod: true,
        currency: true,
        feeCount: true,
        totalFee: true,
        totalGross: true,
        periodStart: true,
        periodEnd: true,
        timeZone: true,
        ledgerPosition: true,
        replacesInvoiceId: true,
        lines: true,
      })
      .meta({ id: 'InvoicePreview' }),
  })
  .meta({ id: 'InvoicePreviewResponse' });

/** The response to each action. */
export const ADMIN_RESPONSES = {
  get_revenue: revenue.extend(proved).meta({ id: 'Revenue' }),
  list_fee_ledger: paged(feeRow).meta({ id: 'FeeLedgerPage' }),
  export_revenue_csv: csvExport.extend(proved).meta({ id: 'CsvExport' }),
  list_invoices: paged(invoiceHead.meta({ id: 'InvoiceHead' })).meta({ id: 'InvoicePage' }),
  get_invoice: invoiceResponse,
  generate_invoice: invoiceResponse,
  finalize_invoice: invoiceResponse,
  void_invoice: invoiceResponse,
  preview_invoice: invoicePreview,
  get_fee_history: feeHistory(feeRow),
  list_audit_trail: auditPage,
  ...SETTLEMENT_RESPONSES,
  ...MERCHANT_RESPONSES,
} as const satisfies Record<Exclude<AdminAction, FileAction>, z.ZodType>;

export const adminResponse = z.union([...new Set(Object.values(ADMIN_RESPONSES))]);

export const feeResults = z.object({
  /** One per row, in the order of the rows. */
  results: z.array(
    z.object({
      id: identifier,
      result: z.enum(['recorded', 'unchanged', 'refused']),
      problem: z.object({ status: z.int(), code: z.string(), detail: z.string() }).optional(),
    }),
  ),
});
export type FeeResult = z.output<typeof feeResults>['results'][number];
