import type { Invoice } from '../../contracts/http/billing/responses';
import { billing } from '../../infra/program/features/billing';
import { BILLING_PROJECTIONS } from '../../projections/billing/billing-projections';
import { FEE_LEDGER } from '../../projections/billing/fee-ledger';
import type { EventProjection } from '../../projections/projection';
import { temporaryFolder } from '../temporary-folder';
import { openInstance, type TestInstance } from './instance';

/** Version 2 of the fees, whose rows had no positions and whose collection no index of them. */
const BEFORE: readonly EventProjection[] = BILLING_PROJECTIONS.map(projection =>
  projection.name === 'fees' ? withoutPositions(projection) : projection,
);

function withoutPositions(fees: EventProjection): EventProjection {
  const { foldAll: _, ...rest } = fees;
  return {
    ...rest,
    version: 2,
    collections: fees.collections.map(each =>
      each.name === FEE_LEDGER.name ? { ...each, indexes: each.indexes.slice(0, -1) } : each,
    ),
    fold(document, input, key) {
      const folded = fees.fold(document, input, key)!;
      if (key.collection !== FEE_LEDGER.name) return folded;
      const { collected_position: _, reversed_position: __, ...row } = folded;
      return row;
    },
  };
}

let instance: TestInstance;
beforeEach(async () => {
  instance = await openInstance();
});
afterEach(() => instance.close());

/** An invoice by this program, from documents that the version before has folded and nothing rebuilds. */
async function readOutdated<Answer>(body: object): Promise<Answer> {
  const shared = {
    folder: temporaryFolder(),
    engines: { store: { ...instance.store, close: async () => undefined } },
  };
  const before = await openInstance({ ...shared, feature: { ...billing, projections: BEFORE } });
  // Once the tree of the ledger has all that is to be proven.
  expect((await before.act({ action: 'get_revenue', proof: true })).status).toBe(200);
  await before.projected();
  await before.close();
  const reader = await openInstance({ ...shared, roles: ['api'] });
  const answered = await reader.act(body);
  expect([answered.status, answered.body.detail]).toEqual([200, undefined]);
  await reader.close();
  return answered.body as Answer;
}

const changesIn = ({ uninvoicedFeeCount, uninvoicedFee, reversedFeeCount, reversedFee }: Invoice) => [
  ...[uninvoicedFeeCount, uninvoicedFee, reversedFeeCount, reversedFee],
];

describe('an invoice, while an upgrade folds the fees again', () => {
  let get: { readonly action: string; readonly invoiceId: string };
  beforeEach(async () => {
    await instance.record([{ id: 'a' }, { id: 'before' }]);
    await instance.record([{ id: 'before', action: 'reverse' }]);
    const { body } = await instance.act({ action: 'generate_invoice', billingPeriod: '2026-11' });
    get = { action: 'get_invoice', invoiceId: (body.invoice as Invoice).invoiceId };
    await instance.record([{ id: 'late' }]);
  });

  it('says what changed since its draft when nothing was reversed since', async () => {
    const { invoice } = await readOutdated<{ invoice: Invoice }>(get);
    expect(changesIn(invoice)).toEqual([1, '1.50', 0, '0.00']);
  });

  it('says that it is not known yet after a reversal', async () => {
    await instance.record([{ id: 'late', action: 'reverse' }]);
    const { invoice } = await readOutdated<{ invoice: Invoice }>(get);
    expect(changesIn(invoice)).toEqual([null, null, null, null]);
  });

  it('is proven from the events', async () => {
    await instance.record([{ id: 'late', action: 'reverse' }]);
    const { invoice } = await readOutdated<{ invoice: Invoice }>({ ...get, proof: true });
    expect(changesIn(invoice)).toEqual([0, '0.00', 0, '0.00']);
  });
});
