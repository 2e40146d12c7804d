import { join } from 'node:path';
import fc from 'fast-check';
import type { Invoice } from '../../contracts/http/billing/responses';
import { BILLING_PROJECTIONS } from '../../projections/billing/billing-projections';
import { temporaryFolder } from '../temporary-folder';
import { allDocuments, allDocumentsAsOf } from './all-documents';
import { setRebateRule } from '../../services/billing/rebate/set-rule';
import { PERIODS, step } from './arbitraries';
import { fee, openInstance, type TestInstance } from './instance';
import { runs } from '../random';
import { recordedAt } from './recorded-at';

let instance: TestInstance;
let folder: string;
/** Each event is recorded in a different second, so that instants separate them. */
const recorded = (position: number): string =>
  new Date(Date.UTC(2020, 0, 1) + position * 1_000).toISOString();

const OPERATOR = { now: '2026-12-10T09:00:00.000Z', actor: 'operator' };

/** A step, or settlements of all merchants for a month. */
const billing = fc.oneof(
  { weight: 6, arbitrary: step },
  { weight: 2, arbitrary: fc.constantFrom(...PERIODS).map(settled => ({ settled })) },
);

/** Ends each run, so that there are settlements whatever else happened. */
const SETTLED = [
  { fees: [fee({ id: 'settled', created_at: '2026-10-20T11:00:00.000Z' })] },
  { settled: '2026-10' },
];

beforeEach(async () => {
  instance = await openInstance({ wrapStore: recordedAt(recorded), now: () => OPERATOR.now });
  await setRebateRule(instance.deps, [{ from: '0.00', rate: '0.10' }], OPERATOR);
  folder = temporaryFolder();
});
afterEach(() => instance.close());

type Query = Readonly<Record<string, string | number>>;

const QUERIES: readonly Query[] = [
  { action: 'get_revenue' },
  { action: 'get_revenue', billingPeriod: '2026-10' },
  { action: 'list_fee_ledger', pageSize: 200 },
  { action: 'list_fee_ledger', status: 'collected', dateFrom: '2026-10-01', pageSize: 7, page: 2 },
  { action: 'export_revenue_csv' },
  { action: 'list_invoices' },
  { action: 'list_settlements' },
  { action: 'list_rebates' },
];

/** The bytes of an answer. */
const answered = async (asked: Query): Promise<string> => {
  const { status, text } = await instance.act(asked);
  return `${status} ${text}`;
};

/** The queries, with all invoices so far, and their answers. */
const answers = async (invoices: readonly string[], more: object): Promise<Record<string, string>> => {
  const all: Record<string, string> = {};
  for (const asked of [...QUERIES, ...invoices.map(invoiceId => ({ action: 'get_invoice', invoiceId }))])
    all[JSON.stringify(asked)] = withoutRequest(await answered({ ...asked, ...more }));
  return all;
};

/** A problem document has the id of its request. */
const withoutRequest = (text: string): string => text.replace(/"(instance|requestId)":"[^"]*",?/g, '');

let stores = 0;
let settlements = 0;

/** The documents of a fold of the first events. */
const folded = (position: number): Promise<Record<string, unknown[]>> =>
  allDocumentsAsOf(instance.store, BILLING_PROJECTIONS, position, join(folder, `${stores++}.sqlite`));

afterAll(() => expect(settlements).toBeGreaterThan(0));

it('an answer as of a moment equals the answer at that moment, and that of a fold of the events up to it', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(billing, { minLength: 1, maxLength: 8 }),
      fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
        minLength: 3,
        maxLength: 3,
      }),
      async (steps, fractions) => {
        const invoices: string[] = [];
        const then: { position: number; answers: Record<string, string> }[] = [];
        for (const each of [...steps, ...SETTLED]) {
          if ('fees' in each) await instance.record(each.fees);
          else if ('generate' in each) {
            const { body } = await instance.act({
              action: 'generate_invoice',
              billingPeriod: each.generate,
            });
            if (body.invoice) invoices.push((body.invoice as Invoice).invoiceId);
          } else if ('settled' in each) {
            const { status } = await instance.act({
              action: 'generate_settlement',
              billingPeriod: each.settled,
            });
            settlements += Number(status === 200);
          } else if (invoices.length > 0)
            await instance.act({
              action: 'void_invoice',
              invoiceId: invoices.at(-1)!,
              reason: each.voided,
            });
          then.push({ position: await instance.store.head(), answers: await answers(invoices, {}) });
        }

        for (const { position, answers: live } of [...then].reverse()) {
          const known = Object.keys(live)
            .map(asked => (JSON.parse(asked) as { invoiceId?: string }).invoiceId)
            .filter(id => id !== undefined);
          expect(await answers(known, { asOf: position })).toEqual(live);
          expect(await answers(known, { asOf: recorded(position) })).toEqual(live);
        }

        const head = await instance.store.head();
        for (const fraction of fractions) {
          const position = Math.floor(fraction * (head + 2)) - 1;
          const expected = await folded(position);
          for (const moment of [{ position }, { instant: recorded(position + 0.5) }])
            expect(
              await instance.deps.asOf.read(moment, views => allDocuments(views, BILLING_PROJECTIONS)),
            ).toEqual(expected);
        }
      },
    ),
    // Each run continues with the ledger of the previous one.
    { ...runs(1), endOnFailure: true },
  ));
