import fc from 'fast-check';
import type { FeeRow } from '../../contracts/http/billing/responses';
import type { Rebate, Settlement } from '../../contracts/http/billing/settlements';
import { product, subtract, sum } from '../../contracts/money/money';
import { Problem } from '../../contracts/problem/problem';
import type { RebateTier } from '../../contracts/money/rebate-tiers';
import { setRebateRule } from '../../services/billing/rebate/set-rule';
import { voidSettlement } from '../../services/billing/settlement/void';
import { MERCHANTS, row } from './arbitraries';
import { openInstance, type TestInstance } from './instance';
import { verifyServed } from '../proofs/verify-served';
import { runs } from '../random';

const OPERATOR = { now: '2026-12-10T09:00:00.000Z', actor: 'operator' };
/** Every month in which a generated fee may be. */
const MONTHS = ['2026-08', '2026-09', '2026-10', '2026-11', '2026-12'];

let instance: TestInstance;
beforeEach(async () => {
  instance = await openInstance({ now: () => OPERATOR.now });
});
afterEach(() => instance.close());

const tiers = fc
  .uniqueArray(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 3 })
  .chain(from => fc.tuple(...from.sort((a, b) => a - b).map(each => fc.tuple(fc.constant(each), percent))))
  .map(pairs => pairs.map(([from, rate]): RebateTier => ({ from: `${from}.00`, rate })));
const percent = fc.integer({ min: 0, max: 99 }).map(each => `0.${String(each).padStart(2, '0')}`);

const step = fc.oneof(
  { weight: 5, arbitrary: fc.array(row, { minLength: 1, maxLength: 20 }).map(fees => ({ fees })) },
  { weight: 1, arbitrary: tiers.map(rule => ({ rule })) },
  { weight: 1, arbitrary: fc.constantFrom(...MONTHS).map(invoice => ({ invoice })) },
  {
    weight: 5,
    arbitrary: fc.record({
      settle: fc.constantFrom(...MONTHS),
      merchantId: fc.option(fc.constantFrom(...MERCHANTS), { nil: undefined }),
    }),
  },
  { weight: 2, arbitrary: fc.nat().map(pay => ({ pay })) },
  { weight: 2, arbitrary: fc.nat().map(annul => ({ annul })) },
);

/** Never an internal error, whatever the request and state. */
const act = async (body: object): Promise<unknown> => {
  const { status, body: answer } = await instance.act(body);
  expect([200, 404, 409, 422]).toContain(status);
  return answer as unknown;
};

async function all<Row>(action: string, filter: object = {}): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page++) {
    const answer = (await act({ action, page, pageSize: 200, ...filter })) as { rows: Row[] };
    rows.push(...answer.rows);
    if (answer.rows.length < 200) return rows;
  }
}

const pick = <T>(from: readonly T[], at: number): T | undefined => from[at % Math.max(from.length, 1)];

async function take(each: Step): Promise<void> {
  if ('fees' in each) await instance.record(each.fees);
  else if ('rule' in each) await setRebateRule(instance.deps, each.rule, OPERATOR);
  else if ('invoice' in each) await act({ action: 'generate_invoice', billingPeriod: each.invoice });
  else if ('settle' in each)
    await act({
      action: 'generate_settlement',
      billingPeriod: each.settle,
      merchantId: each.merchantId,
    });
  else if ('pay' in each) {
    const one = pick(await all<Settlement>('list_settlements'), each.pay);
    if (one) await act({ action: 'mark_settlement_paid', settlementId: one.settlementId });
  } else {
    const one = pick(await all<Settlement>('list_settlements'), each.annul);
    if (one)
      await voidSettlement(instance.deps, one.settlementId, null, OPERATOR).catch((error: unknown) => {
        if (!(error instanceof Problem && error.status === 409)) throw error;
      });
  }
}
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

/** Paid, or carried into one that is. */
function isOver({ status, settlementId }: Settlement, live: readonly Settlement[]): boolean {
  if (status !== 'carried') return status === 'paid';
  const next = live.find(({ carriedFrom }) => carriedFrom.includes(settlementId));
  return next !== undefined && isOver(next, live);
}

async function expectAgreement(merchantId: string): Promise<void> {
  const settlements = await all<Settlement>('list_settlements', { merchantId });
  const rebates = await all<Rebate>('list_rebates', { merchantId });
  const rows = (await all<FeeRow>('list_fee_ledger', { status: 'collected' })).filter(
    each => each.merchant_id === merchantId,
  );

  const live = settlements.filter(({ status }) => status !== 'void');
  const taken = new Set(live.flatMap(({ carriedFrom }) => carriedFrom));
  const counted = live.filter(({ status, settlementId }) => status !== 'carried' || !taken.has(settlementId));
  const granted = rebates.filter(({ status }) => status === 'applied' || status === 'paid');
  const owed = subtract(
    sum(rows.map(({ gross_amount }) => gross_amount)),
    sum(rows.map(({ fee_amount }) => fee_amount)),
  );
  expect(sum(counted.map(({ netAmount }) => netAmount))).toBe(
    sum([owed, ...granted.map(({ amount }) => amount)]),
  );

  for (const each of live) {
    const own = granted.filter(({ settlementId }) => settlementId === each.settlementId);
    expect(each.rebateApplied).toBe(sum(own.map(({ amount }) => amount)));
    expect(each.netAmount).toBe(
      sum([subtract(each.grossCollected, each.feesCollected), each.rebateApplied, each.carriedIn]),
    );
    for (const rebate of own) expect(rebate.status).toBe(isOver(each, live) ? 'paid' : 'applied');
  }
  for (const { basisFee, rate, amount } of rebates) expect(amount).toBe(product(basisFee, rate, 2));
}

it('settlements add up to the collected rows and their rebates, and are proven, after any sequence of commands', () =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 16 }), async steps => {
      for (const each of steps) await take(each);
      // A month without fees includes the changes of all others.
      for (const month of [...MONTHS, '2020-01'])
        await act({ action: 'generate_settlement', billingPeriod: month });
      const late = (await all<Settlement>('list_settlements', { billingPeriod: '2020-01' })).filter(
        ({ status }) => status !== 'void',
      );
      for (const merchantId of MERCHANTS) await expectAgreement(merchantId);
      for (const action of ['list_settlements', 'list_rebates']) await verifyServed(instance, { action });
      for (const { settlementId } of late) await voidSettlement(instance.deps, settlementId, null, OPERATOR);
    }),
    // Each run continues with the ledger of the previous one.
    { ...runs(3), endOnFailure: true },
  ));
