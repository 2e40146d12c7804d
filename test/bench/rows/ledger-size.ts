import { join } from 'node:path';
import { openSqliteDocuments } from '../../../infra/engines/documents/sqlite/sqlite-documents';
import { foldUpTo, viewsAsOf } from '../../../projections/as-of/fold';
import { listFees } from '../../../projections/billing/fee-ledger';
import { BILLING_PROJECTIONS } from '../../../projections/billing/billing-projections';
import { revenue } from '../../../projections/billing/revenue';
import type { Views } from '../../../projections/views';
import { figure, median, paired } from '../figure';
import { generatedFees } from '../fill/generated-fees';
import { interleave } from '../interleave';
import type { Row } from '../row';

const EVERYTHING = { days: { from: null, to: null } };
const ROUNDS = 5;
const TIMES = 20;
/** The default of the API. */
const PAGE_SIZE = 50;

/** The median duration of a call, in milliseconds. */
async function taken(call: () => Promise<unknown>): Promise<number> {
  const each: number[] = [];
  for (let i = 0; i < TIMES; i++) {
    const began = performance.now();
    await call();
    each.push(performance.now() - began);
  }
  return median(each);
}

/**
 * How the size of the ledger affects reads that are not cached, on the embedded documents: the revenue summary, and a
 * late page.
 */
export const row: Row = async ({ sized, folder, say }) => {
  const [few, many, far] = sized({
    full: [10_000, 10_000_000, 10_000],
    quick: [10_000, 200_000, 3_000],
    smallest: [1_000, 5_000, 50],
  });

  const filled = async (fees: number) => {
    say(`filling documents of ${fees} fees`);
    const documents = openSqliteDocuments({ path: join(folder, `${fees}.sqlite`) });
    const ledger = { documents, store: generatedFees(fees), projections: BILLING_PROJECTIONS };
    const mark = { position: fees - 1, event: null, latest: '' };
    await foldUpTo(ledger, mark, new AbortController().signal);
    return { documents, views: viewsAsOf(ledger, mark) };
  };
  const [small, large] = [await filled(few), await filled(many)];

  const sums = (views: Views) => async (): Promise<void> => {
    const { byMerchant } = await revenue(views, EVERYTHING.days);
    if (byMerchant.length !== 100) throw new Error(`${byMerchant.length} merchants`);
  };
  const page = (number: number) => async (): Promise<void> => {
    const { rows, total } = await listFees(large.views, EVERYTHING, {
      page: number,
      pageSize: PAGE_SIZE,
    });
    if (rows.length !== PAGE_SIZE || total !== many)
      throw new Error(`page ${number}: ${rows.length} of ${total}`);
  };

  say('reading');
  const measured = await interleave(ROUNDS, {
    fewSums: () => taken(sums(small.views)),
    manySums: () => taken(sums(large.views)),
    firstPage: () => taken(page(1)),
    farPage: () => taken(page(far)),
  });
  await Promise.all([small.documents.close(), large.documents.close()]);
  const [a, b] = [few, many].map(fees => fees.toLocaleString('en'));
  return [
    figure(
      { what: `get_revenue of ${b} fees: to ${a}`, unit: 'ms' },
      paired(measured.manySums, measured.fewSums),
      { of: 'ratio', atMost: 1.5 },
    ),
    figure(
      { what: `fee ledger of ${b}, page ${far.toLocaleString('en')}: to page 1`, unit: 'ms' },
      paired(measured.farPage, measured.firstPage),
      { of: 'ratio', atMost: 5 },
    ),
  ];
};
