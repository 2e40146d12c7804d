import { Address } from '@ton/core';

/** A call that its endpoint accepts, from which tests make malformed ones. */
export interface Example {
  /** As it is documented. */
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** It changes the ledger. */
  readonly writes?: boolean;
}

const address = new Address(0, Buffer.alloc(32, 7)).toString();
const hash = 'ab'.repeat(32);
const owner = 'So11111111111111111111111111111111111111112';
const signature = '1'.repeat(64);
const invoiceId = '0b7c2a52-6a42-4f6e-9a0e-6f1f0d0c9a11';
const query = { lt: '0', hash, limit: '16', network: 'mainnet' };
const dates = { dateFrom: '2026-01-01', dateTo: '2026-01-31' };
const ton = { lt: '0', hash };

const solana = (name: string, body: object): Example => ({
  method: 'POST',
  path: `/solana/${name}/{network}`,
  params: { network: 'mainnet' },
  body,
});
const admin = (action: string, body: object, writes = false): Example => ({
  method: 'POST',
  path: '/api/instance-admin',
  body: { action, ...body },
  writes,
});
const fees = (row: object): Example => ({
  method: 'POST',
  path: '/api/fees',
  body: { fees: [row] },
  writes: true,
});

export const EXAMPLES: readonly Example[] = [
  { method: 'GET', path: '/transactions/{address}', params: { address }, query },
  { method: 'POST', path: '/transactions/{address}', params: { address }, body: { ...query, limit: 16 } },
  { method: 'GET', path: '/transactions/v2/{address}', params: { address }, query },
  {
    method: 'POST',
    path: '/transactions/v2/{address}',
    params: { address },
    body: { cursor: { ton }, limit: 16, network: 'mainnet' },
  },
  {
    method: 'POST',
    path: '/transactions/v3',
    body: {
      account: { tonAddress: address, solanaAddress: owner, solanaATAaddress: owner },
      network: 'mainnet',
      cursor: { ton, solana: { before: signature }, solanaToken: { before: signature, mint: owner } },
      limit: 32,
    },
  },
  {
    method: 'POST',
    path: '/ton/transactions/status/{network}',
    params: { network: 'mainnet' },
    body: { txHash: hash },
  },
  solana('account', { address: owner }),
  solana('tokens', { address: owner }),
  solana('transactions', {
    address: owner,
    limit: 16,
    before: signature,
    until: signature,
    mint: owner,
    type: 'TRANSFER',
    source: 'SYSTEM_PROGRAM',
    commitment: 'confirmed',
  }),
  solana('transaction', { signature }),
  solana('transaction/fees', { transaction: 'AAAA' }),
  admin('get_revenue', { ...dates, billingPeriod: '2026-01' }),
  admin('list_fee_ledger', {
    ...dates,
    page: 1,
    pageSize: 50,
    status: 'collected',
    billingPeriod: '2026-01',
    merchantSlug: 'espresso',
    feeType: 'creation',
  }),
  admin('export_revenue_csv', dates),
  admin('list_invoices', { page: 1, pageSize: 50, status: 'draft', billingPeriod: '2026-01' }),
  admin('get_invoice', { invoiceId }),
  admin('generate_invoice', { billingPeriod: '2026-01' }, true),
  admin('finalize_invoice', { invoiceId }, true),
  admin('void_invoice', { invoiceId, reason: 'wrong month' }, true),
  admin('list_settlements', {
    page: 1,
    pageSize: 50,
    status: 'pending',
    billingPeriod: '2026-01',
    merchantId: 'm-1',
  }),
  admin('generate_settlement', { billingPeriod: '2026-01', merchantId: 'm-1' }, true),
  admin(
    'mark_settlement_paid',
    { settlementId: invoiceId, reference: 'SEPA 4711', paidAt: '2026-02-01T00:00:00.000Z' },
    true,
  ),
  admin('list_rebates', {
    page: 1,
    pageSize: 50,
    status: 'accrued',
    billingPeriod: '2026-01',
    merchantId: 'm-1',
  }),
  fees({
    action: 'record',
    id: 'hostile-1',
    fee_type: 'creation',
    fee_amount: '1.50',
    gross_amount: '100.00',
    collection_status: 'collected',
    created_at: '2026-01-20T11:00:00.000Z',
    merchant_id: 'm-1',
    merchant_name: 'Espresso & Co',
    merchant_slug: 'espresso',
  }),
  ...['collect', 'waive', 'reverse'].map(action => fees({ action, id: 'hostile-1' })),
  { method: 'GET', path: '/.well-known/tidemark-ledger-keys.json' },
];
