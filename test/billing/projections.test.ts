import { canonicalDigest } from '../../contracts/json/canonical-json';
import type { JsonObject } from '../../contracts/json/json';
import type { RecordedEvent } from '../../contracts/ports/event-store';
import { feesProjection } from '../../projections/billing/fees';
import { invoicesProjection } from '../../projections/billing/invoices';
import { merchantsProjection } from '../../projections/billing/merchants';
import { given } from '../contracts/projection';
import { ADJUSTMENT, FACTS, FEE, FEE_ADJUSTED } from '../events/samples/fee';
import { DONE, ENCRYPTED, INVOICE, INVOICE_IN_PARTS } from '../events/samples/invoice';
import { MERCHANT } from '../events/samples/merchant';

const { InvoiceLinesDrafted } = INVOICE_IN_PARTS;
const SAMPLES = { ...FEE, ...INVOICE, ...MERCHANT, InvoiceLinesDrafted };

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

const { id: _, ...ROW } = FACTS;
const cell = (count: number, fee: string, gross: string) => ({ count, fee, gross });
const NONE = cell(0, '0.00', '0.00');
const INTERVALS = ['a', 'd2026-11-20', 'm2026-11'];

/** When the first and the last fee of a day were created. */
const extentOf = (interval: string, at = ROW.created_at) =>
  interval.startsWith('d') ? { extent: { first: at, last: at } } : {};

const totals = (cells: JsonObject) =>
  INTERVALS.map(interval => ({
    _id: `${interval}|creation`,
    interval,
    fee_type: 'creation',
    ...extentOf(interval),
    ...cells,
  }));
const inInterval = (interval: string) => ({
  _id: `${interval}|m-1|espresso|creation|Espresso & Co`,
  interval,
  merchant_id: 'm-1',
  merchant_slug: 'espresso',
  merchant_name: 'Espresso & Co',
  fee_type: 'creation',
});
const byMerchant = (cells: JsonObject, position: number, collected_at = -1) =>
  INTERVALS.map(interval => ({
    ...inInterval(interval),
    ...extentOf(interval),
    named_at: 10,
    collected_at,
    position,
    ...cells,
  }));

describe('the fee ledger and its sums', () => {
  it.each([
    ['pending', {}, [['FeeRecorded']], { pending: cell(1, '1.50', '100.00') }],
    [
      'collected',
      { collected_position: 10 },
      [['FeeRecorded', { collection_status: 'collected' }]],
      { collected: cell(1, '1.50', '100.00') },
    ],
    [
      'collected',
      { collected_position: 11 },
      [['FeeRecorded'], ['FeeCollected']],
      { pending: NONE, collected: cell(1, '1.50', '100.00') },
    ],
    ['waived', {}, [['FeeRecorded'], ['FeeWaived']], { pending: NONE, waived: cell(1, '1.50', '100.00') }],
    [
      'reversed',
      { collected_position: 11, reversed_position: 12 },
      [['FeeRecorded'], ['FeeCollected'], ['FeeReversed']],
      { pending: NONE, collected: NONE, reversed: cell(1, '1.50', '100.00') },
    ],
  ] as [string, { collected_position?: number }, [keyof typeof SAMPLES, JsonObject?][], JsonObject][])(
    'have a fee that is %s, with %j, after %j',
    async (collection_status, positions, events, cells) => {
      await given(feesProjection, history(...events)).then({
        fee_ledger: [{ _id: 'f-1', ...ROW, collection_status, ...positions }],
        revenue_totals: totals(cells),
        revenue_by_merchant: byMerchant(cells, 9 + events.length, positions.collected_position),
      });
    },
  );
});

describe('an invoiced fee', () => {
  const adjusted = history(
    ['FeeRecorded', { collection_status: 'collected' }],
    ['FeeReversed', FEE_ADJUSTED],
  );
  const one = cell(1, '1.50', '100.00');
  const taken = cell(1, '-1.50', '-100.00');
  const { id, invoice_id: _invoice, ...row } = ADJUSTMENT;
  const reversedOn = { interval: 'd2026-12-31', ...extentOf('d2026-12-31', row.created_at) };

  it('stays collected, and is reversed by a row in the month of the reversal', () =>
    given(feesProjection, adjusted).then({
      fee_ledger: [
        { _id: 'f-1', ...ROW, collection_status: 'collected', collected_position: 10 },
        { _id: id, ...row, collection_status: 'collected', collected_position: 11 },
      ],
      revenue_totals: [
        { ...totals({})[0]!, collected: cell(2, '0.00', '0.00') },
        { ...totals({})[1]!, collected: one },
        { _id: 'd2026-12-31|creation', ...reversedOn, fee_type: 'creation', collected: taken },
        { ...totals({})[2]!, collected: one },
        { _id: 'm2026-12|creation', interval: 'm2026-12', fee_type: 'creation', collected: taken },
      ],
      revenue_by_merchant: [
        { ...byMerchant({}, 11, 11)[0]!, collected: cell(2, '0.00', '0.00') },
        { ...byMerchant({}, 10, 10)[1]!, collected: one },
        // No fee was recorded on that day: the name is not the latest one of the merchant.
        {
          ...inInterval('d2026-12-31'),
          ...reversedOn,
          named_at: -1,
          collected_at: 11,
          position: 11,
          collected: taken,
        },
        { ...byMerchant({}, 10, 10)[2]!, collected: one },
        { ...inInterval('m2026-12'), named_at: -1, collected_at: 11, position: 11, collected: taken },
      ],
    }));
});

describe('merchants', () => {
  const named = (name: string): JsonObject => ({ ...SAMPLES.MerchantNamed, name });

  it('have their latest names', () =>
    given(
      merchantsProjection,
      history(['MerchantNamed', named('Old')], ['MerchantNamed', named('New')]),
    ).then({
      merchants: [
        {
          _id: 'm-1',
          name: 'New',
          slug: 'espresso',
          at: '2026-11-20T12:00:00.000Z',
          by: 'ann',
          position: 11,
        },
      ],
    }));
});

describe('invoices', () => {
  const { lines, at, by, ...content } = SAMPLES.InvoiceGenerated;
  const hashed = <Content extends JsonObject>(content: Content) => ({
    ...content,
    documentHash: canonicalDigest(content),
  });
  const draft = {
    _id: 'i-1',
    ...content,
    drafted: null as JsonObject | null,
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

  it('are drafts until they have their number', () =>
    given(invoicesProjection, history(['InvoiceGenerated'], ['InvoiceFinalizationStarted'])).then({
      invoices: [hashed(draft)],
      invoice_lines,
    }));

  it('are finalized', () =>
    given(
      invoicesProjection,
      history(['InvoiceGenerated'], ['InvoiceFinalizationStarted'], ['InvoiceFinalized']),
    ).then({ invoices: [hashed(finalized)], invoice_lines }));

  it('are void with number, lines and reason', () =>
    given(
      invoicesProjection,
      history(['InvoiceGenerated'], ['InvoiceFinalizationStarted'], ['InvoiceFinalized'], ['InvoiceVoided']),
    ).then({
      invoices: [
        hashed({
          ...finalized,
          status: 'void',
          voidedAt: DONE.at,
          voidedBy: 'bob',
          voidReason: ENCRYPTED,
          history: [...finalized.history, { event: 'voided', at: DONE.at, by: 'bob', reason: ENCRYPTED }],
        }),
      ],
      invoice_lines,
    }));

  it('in parts have the lines of the parts and of the invoice event', () =>
    given(
      invoicesProjection,
      history(['InvoiceLinesDrafted'], ['InvoiceGenerated', INVOICE_IN_PARTS.InvoiceGenerated]),
    ).then({
      invoices: [hashed({ ...draft, drafted: { digest: 'bb', parts: 1 } })],
      invoice_lines: [...invoice_lines, { _id: 'i-1/bb/0', lines: InvoiceLinesDrafted.lines }],
    }));

  it('do not exist while there are only parts, and do not mix with another draft', async () => {
    const abandoned: JsonObject = { digest: 'aa', lines: [] };
    await given(invoicesProjection, history(['InvoiceLinesDrafted'])).then({
      invoices: [],
      invoice_lines: [{ _id: 'i-1/bb/0', lines: InvoiceLinesDrafted.lines }],
    });
    await given(
      invoicesProjection,
      history(
        ['InvoiceLinesDrafted'],
        ['InvoiceLinesDrafted', abandoned],
        ['InvoiceGenerated', INVOICE_IN_PARTS.InvoiceGenerated],
      ),
    ).then({
      invoices: [hashed({ ...draft, drafted: { digest: 'bb', parts: 1 } })],
      invoice_lines: [
        ...invoice_lines,
        { _id: 'i-1/aa/0', lines: [] },
        { _id: 'i-1/bb/0', lines: InvoiceLinesDrafted.lines },
      ],
    });
  });
});
