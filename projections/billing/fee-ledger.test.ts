import fc from 'fast-check';
import { dayAfter } from '../../contracts/time/billing-period';
import { createCalendar } from '../../contracts/time/calendar';
import type { FeeFacts } from '../../contracts/events/fee';
import type { FeeRow } from '../../contracts/http/billing/responses';
import type { LedgerEvent } from '../../contracts/ledger-tree/ledger-line';
import { InMemoryProjections } from '../../infra/verifier/in-memory-projections';
import { createInMemoryViews } from '../../infra/verifier/in-memory-views';
import { runs } from '../../test/random';
import type { Views } from '../views';
import type { FeeFilter } from './fee-filter';
import { MAX_SKIP } from './fee-count';
import { compareRows, listFees, scanFees } from './fee-ledger';
import { feesProjection } from './fees';
import { daysOf } from './intervals';
import { revenue } from './revenue';

/** Late pages begin earlier than they do elsewhere, so that fewer fees have some. */
jest.mock('./fee-count', () => ({ ...jest.requireActual('./fee-count'), MAX_SKIP: 100 }));

const ZONES = Intl.supportedValuesOf('timeZone');

/** The day by the clocks of the zone, as another formatter than the calendar's writes it. */
const clockOf = (zone: string) => {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone });
  return (instant: string): string => format.format(Date.parse(instant));
};

interface Row {
  readonly created_at: string;
  readonly zone: string;
}

function viewsOf(rows: readonly Row[]): { readonly views: Views; readonly facts: readonly FeeFacts[] } {
  const facts = rows.map(({ created_at, zone }, n): FeeFacts => {
    const day = createCalendar(zone).dayOf(created_at);
    return {
      id: `f-${n}`,
      fee_type: n % 3 ? 'swap' : 'creation',
      fee_amount: '1.00',
      gross_amount: '2.00',
      billing_period: day.slice(0, 7),
      day,
      created_at,
      merchant_id: `m-${n % 2}`,
      merchant_name: `M${n % 2}`,
      merchant_slug: `s-${n % 2}`,
    };
  });
  const all = (): boolean => true;
  const folded = new InMemoryProjections(
    [feesProjection],
    Object.fromEntries(feesProjection.collections.map(({ name }) => [name, all])),
  );
  facts.forEach((fee, position) =>
    folded.apply({
      position,
      stream: `fee-${fee.id}`,
      revision: 0,
      id: fee.id,
      type: 'FeeRecorded',
      data: { ...fee, collection_status: 'collected' },
      metadata: { v: 1 },
      created: '',
    } as unknown as LedgerEvent),
  );
  const documents = folded.documents();
  return { views: createInMemoryViews(() => documents), facts };
}

/** What every read says of a filter is what its rows, found one by one, say. */
async function expectOneRule(rows: readonly Row[], filters: readonly FeeFilter[]): Promise<void> {
  const { views, facts } = viewsOf(rows);
  for (const filter of filters) {
    const { from, to } = filter.days;
    const matching = facts
      .filter(
        ({ day, merchant_slug, fee_type }) =>
          (from === null || day >= from) &&
          (to === null || day <= to) &&
          (filter.merchantSlug ?? merchant_slug) === merchant_slug &&
          (filter.feeType ?? fee_type) === fee_type,
      )
      .sort(compareRows)
      .map(({ id }) => id);
    const scanned: FeeRow[] = [];
    for await (const page of scanFees(views, filter)) scanned.push(...page);
    expect(scanned.map(({ id }) => id)).toEqual(matching);
    const pageSize = Math.max(1, Math.ceil(matching.length / 3));
    for (let page = 1; page <= 4; page++) {
      const listed = await listFees(views, filter, { page, pageSize });
      expect(listed.total).toBe(matching.length);
      expect(listed.rows.map(({ id }) => id)).toEqual(matching.slice((page - 1) * pageSize, page * pageSize));
    }
    if (filter.merchantSlug !== undefined || filter.feeType !== undefined) continue;
    const { summary } = await revenue(views, filter.days);
    expect(summary.reduce((sum, { count }) => sum + count, 0)).toBe(matching.length);
  }
}

const HOUR = 3_600_000;
const near = (boundary: string) =>
  fc
    .integer({ min: -30 * 60, max: 30 * 60 })
    .map(minutes => new Date(Date.parse(boundary) + minutes * 60_000 + 30_000).toISOString());

const filtersOf = (periods: readonly string[]): FeeFilter[] =>
  periods.flatMap(billingPeriod => {
    const days = daysOf({ billingPeriod });
    return [
      { days },
      { days, merchantSlug: 's-1' },
      { days, feeType: 'creation' },
      { days: { from: days.to, to: days.to } },
      { days: { from: days.from, to: days.from } },
      { days: { from: null, to: days.to } },
      { days: { from: days.from, to: null } },
    ];
  });

it('rows and totals of a month are those of St. John’s, whose clocks went back over its end', async () => {
  const hour = (n: number): Row => ({
    created_at: new Date(Date.parse('2009-11-01T01:00:30.000Z') + (n * HOUR) / 2).toISOString(),
    zone: 'America/St_Johns',
  });
  const rows = Array.from({ length: 10 }, (_, n) => hour(n));
  await expectOneRule(rows, filtersOf(['2009-10', '2009-11']));
  const { views } = viewsOf(rows);
  const { rows: october } = await listFees(
    views,
    { days: daysOf({ billingPeriod: '2009-10' }) },
    { page: 1, pageSize: 10 },
  );
  expect(october.map(({ created_at }) => created_at)).not.toContain('2009-11-01T02:30:30.000Z');
  expect(october.map(({ created_at }) => created_at)).toContain('2009-11-01T03:00:30.000Z');
});

it('in every zone rows and totals are of the days of its clocks', () => {
  const month = fc
    .tuple(fc.constantFrom(...ZONES), fc.integer({ min: 1971, max: 2037 }), fc.integer({ min: 2, max: 12 }))
    .map(([zone, year, number]) => {
      const period = (n: number): string => `${year}-${String(n).padStart(2, '0')}`;
      return {
        zone,
        periods: [period(number - 1), period(number)],
        boundary: `${period(number)}-01T00:00:00Z`,
      };
    })
    .chain(({ boundary, ...rest }) =>
      fc.record({
        zone: fc.constant(rest.zone),
        periods: fc.constant(rest.periods),
        instants: fc.array(near(boundary), { minLength: 12, maxLength: 12 }),
      }),
    );
  return fc.assert(
    fc.asyncProperty(month, async ({ zone, periods, instants }) => {
      const rows = instants.map(created_at => ({ created_at, zone }));
      expect(viewsOf(rows).facts.map(fee => fee.day)).toEqual(instants.map(clockOf(zone)));
      await expectOneRule(rows, filtersOf(periods));
    }),
    runs(20),
  );
});

it('rows keep the days of the zone in which they were recorded, also on late pages', async () => {
  const zones = fc.constantFrom('Etc/GMT+12', 'UTC', 'America/St_Johns', 'Pacific/Kiritimati');
  const row = fc.record({ created_at: near('2026-03-01T00:00:00.000Z'), zone: zones });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 20, maxLength: 60 }), rows =>
      expectOneRule(rows, filtersOf(['2026-02', '2026-03'])),
    ),
    runs(10),
  );
  const many = fc.sample(row, { numRuns: 4 * MAX_SKIP, seed: 5 });
  const days = daysOf({ billingPeriod: '2026-02' });
  await expectOneRule(many, [
    { days: { from: null, to: null } },
    { days },
    { days: { from: dayAfter(days.to!), to: dayAfter(days.to!) } },
    { days: { from: days.to, to: null } },
  ]);
});
