import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { add, ZERO, subtract, sum } from '../../contracts/money/money';
import type { FeeRow, Invoice, Revenue } from '../../contracts/http/billing/responses';
import type { EventStore } from '../../contracts/ports/event-store';
import { FeeModel } from './fee-model';
import { amount, MERCHANTS, PERIODS, row } from './arbitraries';
import { openInstance, type TestInstance } from './instance';
import { verifyServed } from '../proofs/verify-served';
import { runs } from '../random';

let instance: TestInstance;
let model: FeeModel;
let now: string;
/** Called before the next draft of an invoice is appended. */
let beforeDraft: (() => Promise<void>) | null;
const watched = (store: EventStore): EventStore => ({
  ...store,
  async append(stream, expected, events) {
    if (events[0]!.type === 'InvoiceGenerated') {
      const call = beforeDraft;
      beforeDraft = null;
      await call?.();
    }
    return store.append(stream, expected, events);
  },
});
beforeEach(async () => {
  now = '2026-11-30T12:00:00.000Z';
  beforeDraft = null;
  instance = await openInstance({ now: () => now, wrapStore: watched });
  model = new FeeModel(instance, () => now);
});
afterEach(() => instance.close());

const STATUSES = ['collected', 'pending', 'reversed', 'waived'];

const act = async (body: object) => (await instance.act(body)).body as unknown;

async function wholeLedger(filter: object = {}, pageSize = 200): Promise<{ rows: FeeRow[]; total: number }> {
  const rows: FeeRow[] = [];
  for (let page = 1; ; page++) {
    const query = { action: 'list_fee_ledger', page, pageSize, ...filter };
    const answer = (await act(query)) as { rows: FeeRow[]; total: number };
    rows.push(...answer.rows);
    if (answer.rows.length === 0) return { rows, total: answer.total };
  }
}

const allInvoices = async (): Promise<Invoice[]> => {
  const { rows } = (await act({ action: 'list_invoices', pageSize: 200 })) as { rows: Invoice[] };
  return Promise.all(
    rows.map(
      async ({ invoiceId }) =>
        ((await act({ action: 'get_invoice', invoiceId })) as { invoice: Invoice }).invoice,
    ),
  );
};

const liveInvoiceOf = async (period: string): Promise<Invoice | undefined> => {
  const query = { action: 'list_invoices', billingPeriod: period, pageSize: 200 };
  const { rows } = (await act(query)) as { rows: Invoice[] };
  return rows.find(({ status }) => status !== 'void');
};

const countAndSum = (rows: readonly FeeRow[]) => ({
  count: rows.length,
  total_fee: sum(rows.map(each => each.fee_amount)),
  total_gross: sum(rows.map(each => each.gross_amount)),
});

const summaryOf = (rows: readonly FeeRow[]): Revenue['summary'] =>
  ['creation', 'swap']
    .flatMap(fee_type =>
      STATUSES.map(collection_status => ({
        fee_type,
        collection_status: collection_status as FeeRow['collection_status'],
        ...countAndSum(
          rows.filter(each => each.fee_type === fee_type && each.collection_status === collection_status),
        ),
      })),
    )
    .filter(({ count }) => count > 0);

const byMerchantOf = (rows: readonly FeeRow[]) =>
  MERCHANTS.map(merchant_id => {
    const own = rows.filter(each => each.merchant_id === merchant_id);
    const of = (status: string) =>
      sum(own.filter(each => each.collection_status === status).map(each => each.fee_amount));
    return { merchant_id, fee_count: own.length, collected: of('collected'), pending: of('pending') };
  }).filter(({ fee_count }) => fee_count > 0);

const feesOf = (rows: readonly FeeRow[]) => sum(rows.map(each => each.fee_amount));

async function expectConsistent(): Promise<void> {
  const { rows, total } = await wholeLedger();
  expect(total).toBe(rows.length);

  const revenue = (await act({ action: 'get_revenue' })) as Revenue;
  expect(revenue.summary).toEqual(summaryOf(rows));
  expect(revenue.byMerchant.map(({ merchant_name: _, ...rest }) => rest)).toEqual(byMerchantOf(rows));
  for (const { merchant_id, merchant_name } of revenue.byMerchant)
    expect(merchant_name).toBe(model.names.get(merchant_id));

  const { csv } = (await act({ action: 'export_revenue_csv' })) as { csv: string };
  const exported = parse(csv, { columns: true, record_delimiter: '\r\n' }) as FeeRow[];
  expect(exported).toEqual(rows.map(({ merchant_id: _, ...rest }) => rest));

  // The rows add up to the fees, for both forms of a reversal.
  for (const status of ['collected', 'pending', 'waived'] as const)
    expect(feesOf(rows.filter(each => each.collection_status === status))).toBe(model.total(status));
  for (const { merchant_id, collected } of revenue.byMerchant)
    expect(collected).toBe(model.total('collected', merchant_id));

  await expectInvoices(rows.filter(each => each.collection_status === 'collected'));
}

/** Each member by itself: that only their difference is right would hide a fee that is in both. */
async function expectChanges(): Promise<void> {
  for (const invoice of await allInvoices()) {
    const { status, uninvoicedFeeCount, uninvoicedFee, reversedFeeCount, reversedFee } = invoice;
    expect({ uninvoicedFeeCount, uninvoicedFee, reversedFeeCount, reversedFee }).toEqual(
      status === 'void'
        ? { uninvoicedFeeCount: null, uninvoicedFee: null, reversedFeeCount: null, reversedFee: null }
        : model.changes(invoice.billingPeriod),
    );
  }
}

const generated = new Map<string, Pick<Invoice, 'contentHash' | 'totalFee' | 'lines'>>();

async function expectInvoices(collected: readonly FeeRow[]): Promise<void> {
  const invoices = await allInvoices();
  let accounted = ZERO;
  for (const period of new Set(collected.map(each => each.billing_period))) {
    const rows = collected.filter(each => each.billing_period === period);
    const invoice = invoices.find(each => each.billingPeriod === period && each.status !== 'void');
    if (!invoice) {
      accounted = add(accounted, feesOf(rows));
      continue;
    }
    const { totalFee, uninvoicedFee, reversedFee, feeCount, uninvoicedFeeCount, reversedFeeCount } = invoice;
    const now = subtract(add(totalFee, uninvoicedFee!), reversedFee!);
    expect(now).toBe(feesOf(rows));
    expect(feeCount + uninvoicedFeeCount! - reversedFeeCount!).toBe(rows.length);
    accounted = add(accounted, now);
  }
  expect(accounted).toBe(model.total('collected'));

  for (const { invoiceId, contentHash, totalFee, lines } of invoices) {
    expect(sum(lines.map(line => line.totalFee))).toBe(totalFee);
    const then = generated.get(invoiceId) ?? { contentHash, totalFee, lines };
    generated.set(invoiceId, then);
    expect({ contentHash, totalFee, lines }).toEqual(then);
  }
  const numbers = invoices.flatMap(({ number }) => (number === null ? [] : [Number(number.split('-')[2])]));
  expect(numbers.sort((a, b) => a - b)).toEqual(numbers.map((_, index) => index + 1));
}

const period = fc.constantFrom(...PERIODS);
/**
 * The time of a step: a fee that is reversed then gets its adjustment in that month, which may have an invoice already.
 */
const moment = period.map(month => `${month}-30T23:59:59.999Z`);
const what = <Name extends string>(name: Name) => fc.constant(name);

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      what: what('fees'),
      fees: fc.array(row, { minLength: 1, maxLength: 40 }),
      named: fc.boolean(),
      moment,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ what: what('many'), count: fc.integer({ min: 100, max: 400 }), amount }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      what: what('reverse'),
      picks: fc.array(fc.nat(), { minLength: 1, maxLength: 8 }),
      moment,
    }),
  },
  { weight: 3, arbitrary: fc.record({ what: what('generate'), period }) },
  {
    weight: 1,
    arbitrary: fc.record({
      what: what('generate while reversing'),
      period,
      picks: fc.array(fc.nat(), { minLength: 1, maxLength: 8 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: what('finalize'), period }) },
  { weight: 1, arbitrary: fc.record({ what: what('void'), period }) },
  { weight: 1, arbitrary: fc.record({ what: what('replace'), period }) },
  { weight: 1, arbitrary: fc.record({ what: what('rename'), merchant: fc.constantFrom(...MERCHANTS) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function carryOut(each: Step): Promise<void> {
  switch (each.what) {
    case 'fees':
      now = each.moment;
      return model.record(each.fees, each.named);
    case 'reverse':
      now = each.moment;
      return model.reverse(each.picks);
    case 'many':
      return model.recordMany(each.count, each.amount);
    case 'rename':
      return model.rename(each.merchant);
    case 'generate':
      return generate(each.period);
    case 'generate while reversing':
      beforeDraft = () => model.reverse(each.picks);
      await generate(each.period);
      beforeDraft = null;
      return;
  }
  const invoiceId = (await liveInvoiceOf(each.period))?.invoiceId;
  if (invoiceId === undefined) return;
  if (each.what === 'finalize') {
    await act({ action: 'finalize_invoice', invoiceId });
    return;
  }
  await act({ action: 'void_invoice', invoiceId });
  model.void(each.period);
  if (each.what === 'replace') await generate(each.period);
}

/** Nothing when the month has not begun, has a live invoice, or no collected fees. */
async function generate(billingPeriod: string): Promise<void> {
  const rows = model.collected(billingPeriod);
  const { status } = await instance.act({ action: 'generate_invoice', billingPeriod });
  if (status === 200) model.draft(billingPeriod, rows);
  else expect(billingPeriod > now.slice(0, 7) ? [400] : [409, 422]).toContain(status);
}

it('summary, ledger, CSV and invoices agree and are proven after any sequence of commands', () =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async steps => {
      for (const each of steps) {
        await carryOut(each);
        await expectChanges();
      }
      await expectConsistent();
      for (const action of ['get_revenue', 'list_fee_ledger', 'list_invoices'])
        await verifyServed(instance, { action });
    }),
    // Each run continues with the ledger of the previous one.
    { ...runs(3), endOnFailure: true },
  ));

it('total is correct for every combination of filters', async () => {
  await instance.record(
    fc.sample(row, { numRuns: 400, seed: 7 }).filter(({ action }) => action === undefined),
  );
  await instance.record(
    fc.sample(row, { numRuns: 100, seed: 8 }).filter(({ action }) => action !== undefined),
  );
  const { rows } = await wholeLedger();
  expect(rows.length).toBeGreaterThan(20);

  const choice = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
  const day = fc
    .date({ min: new Date('2026-08-20'), max: new Date('2026-12-10'), noInvalidDate: true })
    .map(date => date.toISOString().slice(0, 10));
  const filters = fc.record({
    status: choice(STATUSES),
    billingPeriod: choice(PERIODS),
    merchantSlug: choice(['one', 'two', 'none']),
    feeType: choice(['creation', 'swap']),
    days: fc.tuple(day, day).map(days => days.sort()),
    open: fc.constantFrom('both', 'from', 'to', 'neither'),
  });
  await fc.assert(
    fc.asyncProperty(filters, async ({ days: [from, to], open, ...equal }) => {
      const dateFrom = open === 'both' || open === 'from' ? undefined : from;
      const dateTo = open === 'both' || open === 'to' ? undefined : to;
      const expected = rows.filter(
        each =>
          (equal.status === undefined || each.collection_status === equal.status) &&
          (equal.billingPeriod === undefined || each.billing_period === equal.billingPeriod) &&
          (equal.merchantSlug === undefined || each.merchant_slug === equal.merchantSlug) &&
          (equal.feeType === undefined || each.fee_type === equal.feeType) &&
          (dateFrom === undefined || each.created_at.slice(0, 10) >= dateFrom) &&
          (dateTo === undefined || each.created_at.slice(0, 10) <= dateTo),
      );
      const found = await wholeLedger({ ...equal, dateFrom, dateTo }, 17);
      expect(found).toEqual({ rows: expected, total: expected.length });

      const { billingPeriod } = equal;
      const inDays = (await act({ action: 'get_revenue', billingPeriod, dateFrom, dateTo })) as Revenue;
      const all = await wholeLedger({ billingPeriod, dateFrom, dateTo });
      expect(inDays.summary).toEqual(summaryOf(all.rows));
    }),
    runs(20),
  );
});
