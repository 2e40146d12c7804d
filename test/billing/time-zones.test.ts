import fc from 'fast-check';
import type { FeeRow } from '../../contracts/http/billing/responses';
import { verifyServed } from '../proofs/verify-served';
import { scaled } from '../random';
import { openInstance, type TestInstance } from './instance';

let now = '';
let instance: TestInstance;
const openIn = async (timeZone: string): Promise<void> => {
  now = '2032-01-01T00:00:00.000Z';
  instance = await openInstance({ settings: { INSTANCE_TIME_ZONE: timeZone }, now: () => now });
};
afterEach(() => instance.close());

const HOUR = 3_600_000;
const at = (instant: string, milliseconds = 0): string =>
  new Date(Date.parse(instant) + milliseconds).toISOString();

/** [zone, day, its first instant, hours, special case]: by the rules of the IANA database. */
const DAYS = [
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', 23, 'clocks go forward'],
  ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', 25, 'clocks go back'],
  ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z', 23, 'clocks go forward'],
  ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z', 25, 'clocks go back, first of the month'],
  ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00.000Z', 24.5, 'half an hour back'],
  ['Australia/Lord_Howe', '2026-10-04', '2026-10-03T13:30:00.000Z', 23.5, 'half an hour forward'],
  ['Pacific/Apia', '2011-12-29', '2011-12-29T10:00:00.000Z', 24, 'the day before a skipped one'],
  ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z', 24, 'the day after a skipped one'],
  ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z', 23, 'midnight is skipped'],
  ['Europe/Berlin', '2024-02-29', '2024-02-28T23:00:00.000Z', 24, 'a leap day'],
  ['UTC', '2026-12-31', '2026-12-31T00:00:00.000Z', 24, 'the end of a year'],
] as const;

describe.each(DAYS)('in %s the day %s', (zone, day, first, hours, odd) => {
  it(`has ${hours} hours (${odd})`, async () => {
    await openIn(zone);
    const end = at(first, hours * HOUR);
    const id = (what: string) => `${day}-${what}`;
    await instance.record([
      { id: id('before'), created_at: at(first, -1) },
      { id: id('first'), created_at: first },
      { id: id('noon'), created_at: at(first, (hours / 2) * HOUR) },
      { id: id('last'), created_at: at(end, -1) },
      { id: id('after'), created_at: end },
    ]);
    const onDay = { dateFrom: day, dateTo: day };
    const ledger = await instance.act({ action: 'list_fee_ledger', ...onDay });
    expect(ledger.body).toMatchObject({
      total: 3,
      rows: ['last', 'noon', 'first'].map(what => ({ id: id(what), billing_period: day.slice(0, 7) })),
    });
    expect((await instance.act({ action: 'get_revenue', ...onDay })).body.summary).toMatchObject([
      { count: 3 },
    ]);
    const csv = await instance.act({ action: 'export_revenue_csv', ...onDay });
    expect(csv.body.rowCount).toBe(3);
  });
});

it.each(['Etc/GMT+12', 'Pacific/Kiritimati'])(
  'in %s the first and the last fee are in every report',
  async zone => {
    await openIn(zone);
    await instance.record([
      { id: 'first', created_at: '1970-01-02T00:00:00Z' },
      { id: 'last', created_at: '2999-12-30T23:59:59.999Z' },
    ]);
    for (const days of [{}, { dateFrom: '1970-01-01' }, { dateTo: '2999-12-31' }])
      expect(await instance.act({ action: 'list_fee_ledger', ...days })).toMatchObject({
        body: { total: 2 },
      });
    expect((await instance.act({ action: 'get_revenue' })).body.summary).toMatchObject([{ count: 2 }]);
  },
);

it('a month whose clocks go back over its end has its own rows, in the list, the sums, the CSV and the invoice', async () => {
  await openIn('America/St_Johns');
  // At 00:01 on 1 November 2009 clocks went back to 23:01 on 31 October.
  const midnight = '2009-11-01T02:30:00.000Z';
  const minutes = { october: [-60, -1, 2, 59], november: [0, 0.5, 60, 90] };
  const fees = Object.entries(minutes).flatMap(([month, all]) =>
    all.map(n => ({ id: `${month}-${n}`, created_at: at(midnight, n * 60_000) })),
  );
  await instance.record(fees);
  for (const [billingPeriod, month] of [
    ['2009-10', 'october'],
    ['2009-11', 'november'],
  ] as const) {
    const ids = minutes[month].map(n => `${month}-${n}`).reverse();
    const { body } = await instance.act({ action: 'list_fee_ledger', billingPeriod });
    expect(body).toMatchObject({ total: 4, rows: ids.map(id => ({ id, billing_period: billingPeriod })) });
    expect((await instance.act({ action: 'export_revenue_csv', billingPeriod })).body.rowCount).toBe(4);
    expect((await instance.act({ action: 'get_revenue', billingPeriod })).body.summary).toMatchObject([
      { count: 4 },
    ]);
    const { invoice } = (await instance.act({ action: 'generate_invoice', billingPeriod })).body;
    expect(invoice.feeCount).toBe(4);
    for (const { created_at } of body.rows as FeeRow[])
      expect(invoice.periodStart <= created_at && created_at < invoice.periodEnd).toBe(true);
    await verifyServed(instance, { action: 'list_fee_ledger', billingPeriod });
  }
});

it('a skipped day has no fees, and its month the correct ones', async () => {
  await openIn('Pacific/Apia');
  await instance.record([
    { id: 'eve', created_at: '2011-12-30T09:59:59.999Z' },
    { id: 'next', created_at: '2011-12-30T10:00:00.000Z' },
  ]);
  const skipped = { dateFrom: '2011-12-30', dateTo: '2011-12-30' };
  expect((await instance.act({ action: 'list_fee_ledger', ...skipped })).body).toMatchObject({
    total: 0,
    rows: [],
  });
  const { body } = await instance.act({
    action: 'list_fee_ledger',
    dateFrom: '2011-12-29',
    dateTo: '2011-12-30',
  });
  expect(body.rows[0]).toMatchObject({ id: 'eve' });
  const { body: made } = await instance.act({ action: 'generate_invoice', billingPeriod: '2011-12' });
  expect(made.invoice).toMatchObject({
    periodStart: '2011-12-01T10:00:00.000Z',
    periodEnd: '2011-12-31T10:00:00.000Z',
    timeZone: 'Pacific/Apia',
  });
});

it("an adjustment is in the month of the instance's time zone", async () => {
  await openIn('Australia/Lord_Howe');
  const created_at = '2025-06-10T00:00:00.000Z';
  await instance.record([
    { id: 'june-1', created_at },
    { id: 'june-2', created_at },
  ]);
  await instance.act({ action: 'generate_invoice', billingPeriod: '2025-06' });
  now = '2025-07-31T13:29:59.999Z';
  await instance.record([{ id: 'june-1', action: 'reverse' }]);
  now = '2025-07-31T13:30:00.000Z';
  await instance.record([{ id: 'june-2', action: 'reverse' }]);
  for (const [billingPeriod, id] of [
    ['2025-07', 'june-1~reversal'],
    ['2025-08', 'june-2~reversal'],
  ])
    expect((await instance.act({ action: 'list_fee_ledger', billingPeriod })).body).toMatchObject({
      total: 1,
      rows: [{ id, billing_period: billingPeriod }],
    });
});

/** On a page. */
const FEES = 200;

it.each(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia'])(
  'in %s every fee is in its own month: in the ledger, the sums and the invoice',
  async zone => {
    await openIn(zone);
    const month = fc.date({ min: new Date('2010-06-01'), max: new Date('2031-01-01'), noInvalidDate: true });
    // Close to the start of a month, before and after it, where zones differ.
    const created = fc
      .tuple(month, fc.integer({ min: -26 * HOUR, max: 26 * HOUR }))
      .map(([date, off]) => at(`${date.toISOString().slice(0, 7)}-01T00:00:00.000Z`, off));
    const fees = fc
      .sample(created, { numRuns: FEES, seed: 11 })
      .map((created_at, index) => ({ id: `f-${index}`, created_at, fee_amount: '1' }));
    await instance.record(fees);
    const { rows } = (await instance.act({ action: 'list_fee_ledger', pageSize: 200 })).body as {
      rows: FeeRow[];
    };
    expect(rows).toHaveLength(FEES);
    const wall = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit' });
    for (const { created_at, billing_period } of rows) {
      const parts = new Map(wall.formatToParts(new Date(created_at)).map(({ type, value }) => [type, value]));
      expect(billing_period).toBe(`${parts.get('year')}-${parts.get('month')}`);
    }
    for (const billingPeriod of [...new Set(rows.map(row => row.billing_period))].slice(0, scaled(8))) {
      const of = rows.filter(row => row.billing_period === billingPeriod);
      const { body } = await instance.act({ action: 'list_fee_ledger', billingPeriod, pageSize: 200 });
      expect(body).toMatchObject({ rows: of, total: of.length });
      const { invoice } = (await instance.act({ action: 'generate_invoice', billingPeriod })).body;
      expect(invoice.feeCount).toBe(of.length);
      for (const { created_at } of of)
        expect(invoice.periodStart <= created_at && created_at < invoice.periodEnd).toBe(true);
    }
  },
);
