import fc from 'fast-check';
import type { FeeRow } from '../../contracts/http/billing/responses';
import { scanFees } from '../../projections/billing/fee-ledger';
import { daysOf } from '../../projections/billing/intervals';
import { rowsAsOf } from '../../services/billing/report/rows-as-of';
import { PERIODS, row } from './arbitraries';
import { openInstance, type TestInstance } from './instance';
import { runs } from '../random';

let instance: TestInstance;
beforeAll(async () => {
  instance = await openInstance();
});
afterAll(() => instance.close());

const fees = fc.array(row, { minLength: 1, maxLength: 30 });

const filters = fc
  .record(
    {
      billingPeriod: fc.constantFrom(...PERIODS),
      dateFrom: fc.constantFrom('2026-09-15', '2026-10-03'),
      status: fc.constantFrom(
        'pending' as const,
        'collected' as const,
        'waived' as const,
        'reversed' as const,
      ),
      merchantSlug: fc.constantFrom('one', 'two'),
      feeType: fc.constantFrom('creation', 'swap'),
    },
    { requiredKeys: [] },
  )
  .map(filter => ({ ...filter, days: daysOf(filter) }));

async function collect(pages: AsyncIterable<readonly FeeRow[]>, maxRows = Infinity): Promise<FeeRow[]> {
  const rows: FeeRow[] = [];
  for await (const page of pages) {
    rows.push(...page);
    if (rows.length >= maxRows) break;
  }
  return rows.slice(0, maxRows);
}

it('the parts of an export, with fees recorded between them, are the ledger as of the first part', () =>
  fc.assert(
    fc.asyncProperty(
      fees,
      filters,
      fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), fees), { maxLength: 4 }),
      async (before, filter, parts) => {
        const { views } = instance.deps;
        await instance.record(before);
        const position = await instance.store.head();
        await views.waitForPosition('fee_ledger', position, 60_000);
        const expected = await collect(scanFees(views, filter));

        const exported: FeeRow[] = [];
        for (const [maxRows, meanwhile] of [...parts, [Infinity, []] as const]) {
          const query = { filter, position, after: exported.at(-1) ?? null };
          const pages = await rowsAsOf(instance.deps, query);
          exported.push(...(await collect(pages!, maxRows)));
          await instance.record(meanwhile.length > 0 ? [...meanwhile] : [{ id: 'last' }]);
          await views.waitForPosition('fee_ledger', await instance.store.head(), 60_000);
        }
        expect(exported).toEqual(expected);
      },
    ),
    runs(20),
  ));

it('what was recorded while a part is read is undone too', async () => {
  const { views } = instance.deps;
  await instance.record(
    Array.from({ length: 700 }, (_, n) => ({
      id: `slow-${n}`,
      collection_status: 'pending',
      merchant_slug: 'slow',
    })),
  );
  const position = await instance.store.head();
  await views.waitForPosition('fee_ledger', position, 60_000);
  const filter = { days: daysOf({}), merchantSlug: 'slow', status: 'pending' as const };
  const expected = await collect(scanFees(views, filter));
  expect(expected).toHaveLength(700);

  const exported: FeeRow[] = [];
  let round = 0;
  for await (const page of (await rowsAsOf(instance.deps, { filter, position, after: null }))!) {
    exported.push(...page);
    // Rows before the page, in it and after it leave the filter, and others enter it.
    const changed = expected.filter((_, n) => n % 3 === round).map(({ id }) => ({ id, action: 'waive' }));
    const added = [{ id: `slow-new-${round++}`, collection_status: 'pending', merchant_slug: 'slow' }];
    await instance.record([...changed, ...added]);
    await views.waitForPosition('fee_ledger', await instance.store.head(), 60_000);
  }
  expect(round).toBeGreaterThan(2);
  expect(exported).toEqual(expected);
});

it('gives up when more was recorded since than it undoes', async () => {
  const position = await instance.store.head();
  await instance.record([{ id: 'more-1' }, { id: 'more-2' }, { id: 'more-3' }]);
  const query = { filter: { days: daysOf({}) }, position, after: null };
  expect(await rowsAsOf(instance.deps, { ...query, maxUndone: 2 })).toBeNull();
  expect(await rowsAsOf(instance.deps, { ...query, maxUndone: 3 })).not.toBeNull();
});
