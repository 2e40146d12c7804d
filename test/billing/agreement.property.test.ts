import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { add, NOTHING, subtract, sum } from '../../contracts/money';
import type { FeeRow, Invoice, Revenue } from '../../contracts/http/billing-answers';
import { openInstance, type FeeInput, type TestInstance } from './instance';

let instance: TestInstance;
beforeEach(async () => {
  instance = await openInstance();
});
afterEach(() => instance.close());

const PERIODS = ['2026-09', '2026-10', '2026-11'];
const STATUSES = ['collected', 'pending', 'reversed', 'waived'];
const MERCHANTS = ['m-1', 'm-2', 'm-3'];

/** Of every fineness: a sum must not lose anything when a finer amount comes to coarser ones. */
const amount = fc
  .tuple(
    fc.bigInt({ min: -50n, max: 10n ** 9n }),
    fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }),
    fc.constantFrom(1, 2, 2, 6, 18),
  )
  .map(
    ([whole, part, decimals]) =>
      `${whole}.${String(part)
        .padStart(18, '0')
        .slice(18 - decimals)}`,
  );

/** Few ids, so that most rows meet one that was there before. */
const row = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record<FeeInput>({
      id: fc.integer({ min: 0, max: 150 }).map(String),
      fee_type: fc.constantFrom('creation', 'swap'),
      fee_amount: amount,
      gross_amount: amount,
      collection_status: fc.constantFrom('pending', 'collected'),
      created_at: fc
        .date({ min: new Date('2026-08-30'), max: new Date('2026-12-02'), noInvalidDate: true })
        .map(date => date.toISOString()),
      merchant_id: fc.constantFrom(...MERCHANTS),
      merchant_slug: fc.constantFrom('one', 'two', 'three'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record<FeeInput>({
      id: fc.integer({ min: 0, max: 150 }).map(String),
      action: fc.constantFrom('collect', 'waive', 'reverse'),
    }),
  },
);

const step = fc.oneof(
  { weight: 4, arbitrary: fc.array(row, { minLength: 1, maxLength: 40 }).map(fees => ({ fees })) },
  { weight: 1, arbitrary: fc.constantFrom(...PERIODS).map(generate => ({ generate })) },
  { weight: 1, arbitrary: fc.constantFrom(...PERIODS).map(voided => ({ voided })) },
);

const act = async (body: object) => (await instance.act(body)).body as unknown;

async function wholeLedger(filter: object = {}): Promise<{ rows: FeeRow[]; total: number }> {
  const rows: FeeRow[] = [];
  for (let page = 1; ; page++) {
    const query = { action: 'list_fee_ledger', page, pageSize: 17, ...filter };
    const answer = (await act(query)) as { rows: FeeRow[]; total: number };
    rows.push(...answer.rows);
    if (answer.rows.length === 0) return { rows, total: answer.total };
  }
}

const liveInvoices = async (): Promise<Invoice[]> => {
  const { rows } = (await act({ action: 'list_invoices', pageSize: 200 })) as { rows: Invoice[] };
  const live = rows.filter(({ status }) => status !== 'void');
  return Promise.all(
    live.map(
      async ({ invoiceId }) =>
        ((await act({ action: 'get_invoice', invoiceId })) as { invoice: Invoice }).invoice,
    ),
  );
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

async function expectAgreement(): Promise<void> {
  const { rows, total } = await wholeLedger();
  expect(total).toBe(rows.length);

  const revenue = (await act({ action: 'get_revenue' })) as Revenue;
  expect(revenue.summary).toEqual(summaryOf(rows));
  expect(revenue.byMerchant.map(({ merchant_name: _, ...rest }) => rest)).toEqual(byMerchantOf(rows));

  const { csv } = (await act({ action: 'export_revenue_csv' })) as { csv: string };
  const exported = parse(csv, { columns: true, record_delimiter: '\r\n' }) as FeeRow[];
  expect(exported).toEqual(rows.map(({ merchant_id: _, ...rest }) => rest));

  for (const invoice of await liveInvoices()) {
    const collected = rows.filter(
      each => each.billing_period === invoice.billingPeriod && each.collection_status === 'collected',
    );
    expect(
      subtract(add(invoice.totalFee, invoice.uninvoicedFee ?? NOTHING), invoice.reversedFee ?? NOTHING),
    ).toBe(sum(collected.map(each => each.fee_amount)));
    expect(invoice.feeCount + invoice.uninvoicedFeeCount! - invoice.reversedFeeCount!).toBe(collected.length);
    expect(sum(invoice.lines.map(({ totalFee }) => totalFee))).toBe(invoice.totalFee);
  }
}

it(
  'summary, ledger, CSV and invoices agree after any history',
  () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async steps => {
        for (const each of steps) {
          if ('fees' in each) expect((await instance.record(each.fees)).status).toBe(200);
          else if ('generate' in each)
            await act({ action: 'generate_invoice', billingPeriod: each.generate });
          else {
            const held = (await liveInvoices()).find(({ billingPeriod }) => billingPeriod === each.voided);
            if (held) await act({ action: 'void_invoice', invoiceId: held.invoiceId });
          }
        }
        await expectAgreement();
      }),
      // Each run goes on with the ledger that the one before has left.
      { numRuns: 15, endOnFailure: true },
    ),
  120_000,
);

it('total is right for every combination of filters', async () => {
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
      const found = await wholeLedger({ ...equal, dateFrom, dateTo });
      expect(found).toEqual({ rows: expected, total: expected.length });

      const { billingPeriod } = equal;
      const inDays = (await act({ action: 'get_revenue', billingPeriod, dateFrom, dateTo })) as Revenue;
      const all = await wholeLedger({ billingPeriod, dateFrom, dateTo });
      expect(inDays.summary).toEqual(summaryOf(all.rows));
    }),
    { numRuns: 60 },
  );
}, 120_000);
