import { randomUUID } from 'node:crypto';
import type { FeeRow, Invoice } from '../../contracts/http/billing/responses';
import { add, sum } from '../../contracts/money/money';
import type { EventStore } from '../../contracts/ports/event-store';
import type { Document, Query } from '../../contracts/ports/documents';
import { feeEvents, feeStream } from '../../contracts/events/fee';
import { FEE_LEDGER } from '../../projections/billing/fee-ledger';
import { REVENUE_TOTALS } from '../../projections/billing/revenue-buckets';
import type { Views } from '../../projections/views';
import { createReports } from '../../services/billing/report/reports';
import { openInstance, type TestInstance } from './instance';

let now = '';
/** Called before each append of a service. */
let before: ((stream: string, type: string) => Promise<unknown>) | null = null;
const watched = (store: EventStore): EventStore => ({
  ...store,
  async append(stream, expected, events) {
    await before?.(stream, events[0]!.type);
    return store.append(stream, expected, events);
  },
});

let instance: TestInstance;
beforeEach(async () => {
  now = '2026-12-01T09:00:00.000Z';
  before = null;
  instance = await openInstance({
    now: () => now,
    wrapStore: watched,
    settings: { INSTANCE_TIME_ZONE: 'Europe/Berlin' },
  });
});
afterEach(() => instance.close());

const reverse = (id: string) => instance.record([{ id, action: 'reverse' }]);
/** As when it is decided before the draft of the invoice that the fee is on, and recorded after it. */
async function reverseInPlace(id: string): Promise<void> {
  const stream = feeStream(id);
  for await (const recorded of instance.store.readStream(stream)) {
    const data = { ...feeEvents.read(recorded).data, adjustment: null };
    const event = feeEvents.write({ type: 'FeeReversed', data }, randomUUID(), {});
    await instance.store.append(stream, recorded.revision, [event]);
  }
}
const generate = async (billingPeriod = '2026-11') =>
  (await instance.act({ action: 'generate_invoice', billingPeriod })).body.invoice as Invoice;
const on = async (action: string, invoiceId: string) =>
  (await instance.act({ action, invoiceId })).body.invoice as Invoice;
const ledger = async (more: object = {}) =>
  (await instance.act({ action: 'list_fee_ledger', ...more })).body.rows as FeeRow[];
const collected = async () => sum((await ledger({ status: 'collected' })).map(row => row.fee_amount));
const statuses = async () =>
  Object.fromEntries((await ledger()).map(({ id, collection_status }) => [id, collection_status]));

describe('a reversed fee that was invoiced', () => {
  it('stays collected, and is reversed by a row in the month of the reversal', async () => {
    await instance.record([{ id: 'a', merchant_name: 'As it was' }, { id: 'b' }]);
    const invoice = await generate();
    await instance.record([{ id: 'c', merchant_name: 'Renamed', merchant_slug: 'renamed' }]);
    // Already the new year in Berlin.
    now = '2026-12-31T23:00:00.000Z';
    expect((await reverse('a')).body.results).toEqual([{ id: 'a', result: 'recorded' }]);

    const rows = await ledger({ merchantSlug: 'espresso' });
    expect(rows.map(({ id }) => id)).toEqual(['a~reversal', 'b', 'a']);
    expect(rows[0]).toEqual({
      ...rows[2],
      id: 'a~reversal',
      fee_amount: '-1.50',
      gross_amount: '-100.00',
      billing_period: '2027-01',
      created_at: now,
    });
    expect(rows[2]).toMatchObject({ collection_status: 'collected', merchant_name: 'As it was' });
    expect((await instance.act({ action: 'get_revenue' })).body).toEqual({
      summary: [
        {
          fee_type: 'creation',
          collection_status: 'collected',
          count: 4,
          total_fee: '3.00',
          total_gross: '200.00',
        },
      ],
      byMerchant: [
        { merchant_id: 'm-1', merchant_name: 'Renamed', fee_count: 4, collected: '3.00', pending: '0.00' },
      ],
    });
    expect(await on('get_invoice', invoice.invoiceId)).toEqual({
      ...invoice,
      uninvoicedFeeCount: 1,
      uninvoicedFee: '1.50',
    });
  });

  it('is reversed once, however often it is requested', async () => {
    await instance.record([{ id: 'a' }]);
    await generate();
    const answers = await Promise.all(Array.from({ length: 10 }, () => reverse('a')));
    const results = answers.map(({ body }) => body.results[0].result as string);
    expect(results.filter(result => result === 'recorded')).toHaveLength(1);
    expect(results.filter(result => result === 'unchanged')).toHaveLength(9);
    expect(await ledger()).toHaveLength(2);
  });

  it('does not change a finalized invoice', async () => {
    await instance.record([{ id: 'a' }]);
    const { invoiceId } = await generate();
    const final = await on('finalize_invoice', invoiceId);
    await reverse('a');
    expect(await on('get_invoice', invoiceId)).toEqual(final);
    expect(await collected()).toBe('0.00');
  });

  it('is in the next invoice of its month when that one is void', async () => {
    await instance.record([{ id: 'a' }, { id: 'b' }]);
    const first = await generate();
    await reverse('a');
    await on('void_invoice', first.invoiceId);
    const second = await generate();
    const adjusting = await generate('2026-12');
    expect([second.totalFee, adjusting.totalFee]).toEqual(['3.00', '-1.50']);
    expect(await collected()).toBe(add(second.totalFee, adjusting.totalFee));
  });

  it('is uninvoiced in the month of the reversal when that is already invoiced', async () => {
    await instance.record([{ id: 'a' }, { id: 'december', created_at: '2026-12-01T08:00:00Z' }]);
    await generate();
    const december = await generate('2026-12');
    await reverse('a');
    expect(await on('get_invoice', december.invoiceId)).toEqual({
      ...december,
      uninvoicedFeeCount: 1,
      uninvoicedFee: '-1.50',
    });
  });

  it('counts as not invoiced when reversed in the month of the invoice', async () => {
    await instance.record([{ id: 'a' }]);
    now = '2026-11-30T12:00:00.000Z';
    const invoice = await generate();
    await reverse('a');
    expect(await on('get_invoice', invoice.invoiceId)).toMatchObject({
      feeCount: 1,
      uninvoicedFeeCount: 1,
      uninvoicedFee: '-1.50',
      reversedFeeCount: 0,
    });
    await on('void_invoice', invoice.invoiceId);
    expect(await generate()).toMatchObject({ feeCount: 2, totalFee: '0.00' });
  });

  it('yields an invoice with a negative total when nothing else was collected', async () => {
    await instance.record([{ id: 'a' }]);
    await generate();
    await reverse('a');
    const { invoiceId } = await generate('2026-12');
    expect(await on('finalize_invoice', invoiceId)).toMatchObject({
      number: 'INV-202612-0001',
      feeCount: 1,
      totalFee: '-1.50',
      totalGross: '-100.00',
      lines: [{ merchantName: 'Espresso & Co', feeCount: 1, totalFee: '-1.50', totalGross: '-100.00' }],
    });
  });

  it('is reversed by a row while the invoice is being finalized', async () => {
    await instance.record([{ id: 'a' }]);
    const { invoiceId } = await generate();
    before = async stream => {
      if (!stream.startsWith('invoiceNumber-')) return;
      before = null;
      await reverse('a');
    };
    expect(await on('finalize_invoice', invoiceId)).toMatchObject({ reversedFeeCount: 0 });
    expect(await statuses()).toEqual({ a: 'collected', 'a~reversal': 'collected' });
  });
});

describe('a reversed fee that was not invoiced', () => {
  it('is reversed in place', async () => {
    await instance.record([{ id: 'a' }]);
    await reverse('a');
    expect(await statuses()).toEqual({ a: 'reversed' });
  });

  it('is reversed in place when the invoice was drafted before it was collected', async () => {
    await instance.record([{ id: 'a' }, { id: 'late', collection_status: 'pending' }]);
    await generate();
    await instance.record([{ id: 'late', action: 'collect' }]);
    await reverse('late');
    expect(await statuses()).toEqual({ a: 'collected', late: 'reversed' });
  });

  it('is reversed in place after the invoice was voided', async () => {
    await instance.record([{ id: 'a' }, { id: 'b' }]);
    await on('void_invoice', (await generate()).invoiceId);
    await reverse('a');
    expect(await statuses()).toEqual({ a: 'reversed', b: 'collected' });
    expect(await generate()).toMatchObject({ feeCount: 1, totalFee: '1.50' });
  });
});

describe('a reversal concurrent with an invoice', () => {
  it('between snapshot and draft is counted by the invoice, and its replacement is correct', async () => {
    await instance.record([{ id: 'a' }, { id: 'b' }]);
    before = async (_stream, type) => {
      if (type !== 'InvoiceGenerated') return;
      before = null;
      await reverse('a');
    };
    const { invoiceId } = await generate();
    expect(await statuses()).toEqual({ a: 'reversed', b: 'collected' });
    expect(await on('get_invoice', invoiceId)).toMatchObject({
      feeCount: 2,
      totalFee: '3.00',
      uninvoicedFeeCount: 0,
      reversedFeeCount: 1,
      reversedFee: '1.50',
    });
    await on('void_invoice', invoiceId);
    expect(await generate()).toMatchObject({ feeCount: 1, totalFee: '1.50', reversedFeeCount: 0 });
  });

  it.each([
    ['rows', FEE_LEDGER.name],
    ['sums', REVENUE_TOTALS.name],
  ])('is counted with its fee, also when it is folded right after %s were read', async (_, name) => {
    await instance.record([{ id: 'a' }, { id: 'b' }]);
    const { invoiceId } = await generate();
    const { views, store } = instance.deps;
    let isFolded = false;
    const reading: Views = {
      ...views,
      async *scan<D extends Document>(collection: string, query: Query) {
        yield* views.scan<D>(collection, query);
        if (isFolded || collection !== name) return;
        isFolded = true;
        await reverseInPlace('a');
        await views.waitForPosition(collection, await store.head(), 60_000);
      },
    };
    const reports = createReports({ ...instance.deps, views: reading });
    const { invoice } = await reports.get_invoice({ action: 'get_invoice', invoiceId }, await store.head());
    expect(isFolded).toBe(true);
    expect(invoice).toMatchObject({ uninvoicedFeeCount: 0, reversedFeeCount: 1, reversedFee: '1.50' });
  });

  it('that is voided meanwhile is neither lost nor counted twice', async () => {
    await instance.record([{ id: 'a' }, { id: 'b' }]);
    const { invoiceId } = await generate();
    before = async (_stream, type) => {
      if (type !== 'FeeReversed') return;
      before = null;
      await on('void_invoice', invoiceId);
    };
    await reverse('a');
    expect(await statuses()).toEqual({ a: 'collected', 'a~reversal': 'collected', b: 'collected' });
    const totals = [await generate(), await generate('2026-12')].map(({ totalFee }) => totalFee);
    expect(sum(totals)).toBe(await collected());
  });
});

describe('the id of an adjustment', () => {
  it.each(['record', 'collect', 'waive', 'reverse'])('cannot be that of a fee to %s', async action => {
    const { status, body } = await instance.record([{ id: 'a~reversal', action }]);
    expect([status, body.errors[0].pointer]).toEqual([400, '/body/fees/0/id']);
  });

  it('may be longer than that of any fee', async () => {
    const id = 'x'.repeat(128);
    await instance.record([{ id }]);
    await generate();
    await reverse(id);
    expect((await ledger())[0]).toMatchObject({ id: `${id}~reversal`, fee_amount: '-1.50' });
  });
});
