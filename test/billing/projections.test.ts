import type { JsonObject } from '../../contracts/json';
import type { RecordedEvent } from '../../infra/event-store/port';
import { feesProjection } from '../../projections/billing/fees';
import { invoicesProjection } from '../../projections/billing/invoices';
import { given } from '../contracts/projection';

/** Stored events as they are in stores for ever: these samples are never edited, only added to. */
const FACTS = {
  id: 'f-1',
  fee_type: 'creation',
  fee_amount: '1.50',
  gross_amount: '100.00',
  billing_period: '2026-11',
  day: '2026-11-20',
  created_at: '2026-11-20T11:00:00.000Z',
  merchant_id: 'm-1',
  merchant_name: 'Espresso & Co',
  merchant_slug: 'espresso',
};
const DONE = { invoiceId: 'i-1', billingPeriod: '2026-11', at: '2026-12-02T09:00:00.000Z', by: 'bob' };
const LINE = {
  merchantId: 'm-1',
  merchantName: 'Espresso & Co',
  merchantSlug: 'espresso',
  feeType: 'creation',
  feeCount: 1,
  totalFee: '1.50',
  totalGross: '100.00',
};
const SAMPLES = {
  FeeRecorded: { ...FACTS, collection_status: 'pending' },
  FeeCollected: FACTS,
  FeeWaived: FACTS,
  FeeReversed: FACTS,
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

const history = (...events: [type: keyof typeof SAMPLES, changed?: JsonObject][]): RecordedEvent[] =>
  events.map(([type, changed], index) => ({
    id: `e-${index}`,
    type,
    data: { ...SAMPLES[type], ...changed },
    metadata: { v: 1 },
    stream: type.startsWith('Fee') ? 'fee-f-1' : 'invoice-i-1',
    revision: index,
    position: 10 + index,
    created: '2026-11-20T12:00:00.000Z',
  }));

const { day: _, id: __, ...ROW } = FACTS;
const cell = (count: number, fee: string, gross: string) => ({ count, fee, gross });
const NONE = cell(0, '0.00', '0.00');
const SPANS = ['a', 'd2026-11-20', 'm2026-11'];

const totals = (cells: JsonObject) =>
  SPANS.map(span => ({ _id: `${span}|creation`, span, fee_type: 'creation', ...cells }));
const byMerchant = (cells: JsonObject, position: number) =>
  SPANS.map(span => ({
    _id: `${span}|m-1|espresso|creation`,
    span,
    merchant_id: 'm-1',
    merchant_slug: 'espresso',
    merchant_name: 'Espresso & Co',
    named_at: 10,
    fee_type: 'creation',
    position,
    ...cells,
  }));

describe('the fee ledger and its sums', () => {
  it.each([
    ['pending', [['FeeRecorded']], { pending: cell(1, '1.50', '100.00') }],
    [
      'collected',
      [['FeeRecorded', { collection_status: 'collected' }]],
      { collected: cell(1, '1.50', '100.00') },
    ],
    [
      'collected',
      [['FeeRecorded'], ['FeeCollected']],
      { pending: NONE, collected: cell(1, '1.50', '100.00') },
    ],
    ['waived', [['FeeRecorded'], ['FeeWaived']], { pending: NONE, waived: cell(1, '1.50', '100.00') }],
    [
      'reversed',
      [['FeeRecorded'], ['FeeCollected'], ['FeeReversed']],
      { pending: NONE, collected: NONE, reversed: cell(1, '1.50', '100.00') },
    ],
  ] as [string, [keyof typeof SAMPLES, JsonObject?][], JsonObject][])(
    'have a fee that is %s, after %j',
    async (collection_status, events, cells) => {
      await given(feesProjection, history(...events)).then({
        fee_ledger: [{ _id: 'f-1', ...ROW, collection_status }],
        revenue_totals: totals(cells),
        revenue_by_merchant: byMerchant(cells, 9 + events.length),
      });
    },
  );
});

describe('invoices', () => {
  const { lines, at, by, ...content } = SAMPLES.InvoiceGenerated;
  const draft = {
    _id: 'i-1',
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
  const finalized = {
    ...draft,
    status: 'finalized',
    number: 'INV-202612-0001',
    finalizedAt: DONE.at,
    finalizedBy: 'bob',
    history: [...draft.history, { event: 'finalized', at: DONE.at, by: 'bob', reason: null }],
  };
  const invoice_lines = [{ _id: 'i-1', lines }];

  it('look like drafts until they have their number', () =>
    given(invoicesProjection, history(['InvoiceGenerated'], ['InvoiceFinalizationBegun'])).then({
      invoices: [draft],
      invoice_lines,
    }));

  it('are finalized', () =>
    given(
      invoicesProjection,
      history(['InvoiceGenerated'], ['InvoiceFinalizationBegun'], ['InvoiceFinalized']),
    ).then({ invoices: [finalized], invoice_lines }));

  it('are void with their number, their lines and a reason', () =>
    given(
      invoicesProjection,
      history(['InvoiceGenerated'], ['InvoiceFinalizationBegun'], ['InvoiceFinalized'], ['InvoiceVoided']),
    ).then({
      invoices: [
        {
          ...finalized,
          status: 'void',
          voidedAt: DONE.at,
          voidedBy: 'bob',
          voidReason: 'twice',
          history: [...finalized.history, { event: 'voided', at: DONE.at, by: 'bob', reason: 'twice' }],
        },
      ],
      invoice_lines,
    }));
});
