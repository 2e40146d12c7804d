import type { AdminAction } from './billing-access';
import type { Example } from './endpoint';

const INVOICE_ID = '0b7c2a52-6a42-4f6e-9a0e-6f1f0d0c9a11';
const dates = { dateFrom: '2026-01-01', dateTo: '2026-01-31' };
const page = { page: 1, pageSize: 50 };

const admin = (action: AdminAction, fields: object): Example => ({ body: { action, ...fields } });

export const ADMIN_EXAMPLES: readonly Example[] = [
  admin('get_revenue', { ...dates, billingPeriod: '2026-01' }),
  admin('list_fee_ledger', {
    ...dates,
    ...page,
    status: 'collected',
    billingPeriod: '2026-01',
    merchantSlug: 'espresso',
    feeType: 'creation',
  }),
  admin('export_revenue_csv', {
    ...dates,
    status: 'collected',
    billingPeriod: '2026-01',
    merchantSlug: 'espresso',
    feeType: 'creation',
  }),
  admin('list_invoices', { ...page, status: 'draft', billingPeriod: '2026-01' }),
  admin('get_invoice', { invoiceId: INVOICE_ID }),
  admin('preview_invoice', { billingPeriod: '2026-01' }),
  admin('preview_settlement', { billingPeriod: '2026-01', merchantId: 'm-1' }),
  admin('get_fee_history', { feeId: 'fee-1' }),
  admin('list_audit_trail', { dateFrom: '2026-01-01', dateTo: '2026-12-31', pageSize: 50 }),
  admin('generate_invoice', { billingPeriod: '2026-01' }),
  admin('finalize_invoice', { invoiceId: INVOICE_ID }),
  admin('void_invoice', { invoiceId: INVOICE_ID, reason: 'wrong month' }),
  admin('list_settlements', { ...page, status: 'pending', billingPeriod: '2026-01', merchantId: 'm-1' }),
  admin('get_settlement', { settlementId: INVOICE_ID }),
  admin('generate_settlement', { billingPeriod: '2026-01', merchantId: 'm-1' }),
  admin('mark_settlement_paid', {
    settlementId: INVOICE_ID,
    reference: 'SEPA 4711',
    paidAt: '2026-02-01T00:00:00.000Z',
  }),
  admin('void_settlement', { settlementId: INVOICE_ID, reason: 'wrong month' }),
  admin('export_invoice', { invoiceId: INVOICE_ID, format: 'pdf' }),
  admin('export_settlement', { settlementId: INVOICE_ID, format: 'csv' }),
  admin('get_rebate_rule', {}),
  admin('set_rebate_rule', { tiers: [{ from: '0.00', rate: '0.05' }] }),
  admin('list_merchants', { pageSize: 50 }),
  admin('set_merchant', { merchantId: 'm-1', name: 'Espresso & Co', slug: 'espresso' }),
  admin('list_rebates', { ...page, status: 'accrued', billingPeriod: '2026-01', merchantId: 'm-1' }),
];

const fees = (row: object): Example => ({ body: { fees: [row] } });

export const FEE_EXAMPLES: readonly Example[] = [
  fees({
    action: 'record',
    id: 'fee-1',
    fee_type: 'creation',
    fee_amount: '1.50',
    gross_amount: '100.00',
    collection_status: 'collected',
    created_at: '2026-01-20T11:00:00.000Z',
    merchant_id: 'm-1',
    merchant_name: 'Espresso & Co',
    merchant_slug: 'espresso',
  }),
  ...['collect', 'waive', 'reverse'].map(action => fees({ action, id: 'fee-1' })),
];
