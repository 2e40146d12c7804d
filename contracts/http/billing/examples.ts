import type { AdminAction } from './access';
import { DEMO } from './demonstration';
import type { Example } from '../endpoint';

/** From the month of the fees that the examples record on, also those of the demonstration. */
const since = { dateFrom: '2026-01-01' };
const page = { page: 1, pageSize: 50 };
/** Of the fees that the examples record. */
const billingPeriod = '2026-01';
const merchant = { merchantId: 'm-1', name: 'Espresso & Co', slug: 'espresso' };
const ofDemonstration = {
  ...since,
  status: 'collected',
  merchantSlug: DEMO.merchant.slug,
  feeType: 'creation',
};

const admin = (action: AdminAction, fields: object): Example => ({ body: { action, ...fields } });

/** They answer with something on a program with the demonstration, once the examples of fees have been called. */
export const ADMIN_EXAMPLES: readonly Example[] = [
  admin('get_revenue', since),
  admin('list_fee_ledger', { ...ofDemonstration, ...page }),
  admin('export_revenue_csv', ofDemonstration),
  admin('list_invoices', { ...page, status: 'finalized' }),
  admin('get_invoice', { invoiceId: DEMO.invoice }),
  admin('preview_invoice', { billingPeriod }),
  admin('preview_settlement', { billingPeriod, merchantId: merchant.merchantId }),
  admin('get_fee_history', { feeId: 'fee-1' }),
  admin('list_audit_trail', { dateFrom: '2026-01-01', dateTo: '2026-12-31', pageSize: 50 }),
  admin('generate_invoice', { billingPeriod }),
  admin('finalize_invoice', { invoiceId: DEMO.draftInvoice }),
  admin('void_invoice', { invoiceId: DEMO.draftInvoice, reason: 'wrong month' }),
  admin('list_settlements', { ...page, status: 'paid', merchantId: DEMO.merchant.merchantId }),
  admin('get_settlement', { settlementId: DEMO.paidSettlement }),
  admin('generate_settlement', { billingPeriod, merchantId: merchant.merchantId }),
  admin('mark_settlement_paid', { settlementId: DEMO.pendingSettlements[0], reference: 'SEPA 4711' }),
  admin('void_settlement', { settlementId: DEMO.pendingSettlements[1], reason: 'wrong month' }),
  admin('export_invoice', { invoiceId: DEMO.invoice, format: 'pdf' }),
  admin('export_settlement', { settlementId: DEMO.paidSettlement, format: 'csv' }),
  admin('get_rebate_rule', {}),
  admin('set_rebate_rule', { tiers: [{ from: '0.00', rate: '0.05' }] }),
  admin('list_merchants', { pageSize: 50 }),
  admin('set_merchant', merchant),
  admin('list_rebates', { ...page, billingPeriod, merchantId: merchant.merchantId }),
];

const row = (id: string, status: 'pending' | 'collected') => ({
  action: 'record',
  id,
  fee_type: 'creation',
  fee_amount: '1.50',
  gross_amount: '100.00',
  collection_status: status,
  created_at: '2026-01-20T11:00:00.000Z',
  merchant_id: merchant.merchantId,
  merchant_name: merchant.name,
  merchant_slug: merchant.slug,
});

export const FEE_EXAMPLES: readonly Example[] = [
  {
    name: 'record',
    body: { fees: [row('fee-1', 'pending'), row('fee-2', 'pending'), row('fee-3', 'collected')] },
  },
  ...['collect', 'waive', 'reverse'].map((action, index) => ({
    name: action,
    body: { fees: [{ action, id: `fee-${index + 1}` }] },
  })),
];
