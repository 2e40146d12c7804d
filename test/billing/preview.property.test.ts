import fc from 'fast-check';
import { AUDIT_CATEGORY } from '../../contracts/events/audit';
import { LEDGER_CHECKPOINT_CATEGORY } from '../../contracts/events/ledger-checkpoint';
import type { Invoice } from '../../contracts/http/billing/responses';
import type { Settlement, SettlementPreview } from '../../contracts/http/billing/settlements';
import { sum } from '../../contracts/money/money';
import { setRebateRule } from '../../services/billing/rebate/set-rule';
import { voidSettlement } from '../../services/billing/settlement/void';
import { MERCHANTS, PERIODS, row } from './arbitraries';
import { openInstance, type TestInstance } from './instance';
import { runs } from '../random';

const OPERATOR = { now: '2026-12-10T09:00:00.000Z', actor: 'operator' };

let instance: TestInstance;
beforeAll(async () => {
  instance = await openInstance({ now: () => OPERATOR.now });
});
afterAll(() => instance.close());

const period = fc.constantFrom(...PERIODS);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.array(row, { minLength: 1, maxLength: 20 }).map(fees => ({ fees })) },
  { weight: 1, arbitrary: fc.constantFrom('0.05', '0.10').map(rate => ({ rate })) },
  { weight: 3, arbitrary: period.map(invoice => ({ invoice })) },
  {
    weight: 4,
    arbitrary: fc.record({
      settle: period,
      merchantId: fc.option(fc.constantFrom(...MERCHANTS), { nil: undefined }),
    }),
  },
  { weight: 2, arbitrary: fc.nat().map(annul => ({ annul })) },
);

/** Few of the random ones have rebates. */
const EVERYTHING = [
  { rate: '0.10' as const },
  { fees: fc.sample(row, { numRuns: 20, seed: 1 }) },
  ...PERIODS.map(invoice => ({ invoice })),
  ...PERIODS.map(settle => ({ settle, merchantId: undefined })),
];

const BESIDE = [AUDIT_CATEGORY, LEDGER_CHECKPOINT_CATEGORY];

/** Position of the last event; refusals are audited, and checkpoints of the ledger tree are written in the background. */
async function lastWritten(): Promise<number> {
  for await (const events of instance.store.readAll({ direction: 'backwards' }))
    for (const { stream, position } of events)
      if (!BESIDE.some(category => stream.startsWith(`${category}-`))) return position;
  return -1;
}

/** The answer of a preview, during which nothing was written, and that of the same command right after it. */
async function previewed(kind: 'invoice' | 'settlement', fields: object) {
  const before = await lastWritten();
  const preview = await instance.act({ action: `preview_${kind}`, ...fields });
  expect(await lastWritten()).toBe(before);
  const done = await instance.act({ action: `generate_${kind}`, ...fields });
  expect([preview.status, preview.body.code]).toEqual([done.status, done.body.code]);
  return { preview: preview.body as unknown, done: done.body as unknown, status: done.status };
}

const seen = { invoices: 0, settlements: 0, rebates: 0 };
afterAll(() => expect(Math.min(...Object.values(seen))).toBeGreaterThan(0));

it('what is generated equals its preview, which writes nothing', () =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async steps => {
      const invoices: string[] = [];
      const settlements: string[] = [];
      for (const each of steps) {
        if ('fees' in each) await instance.record(each.fees);
        else if ('rate' in each)
          await setRebateRule(instance.deps, [{ from: '0.00', rate: each.rate }], OPERATOR);
        else if ('annul' in each) {
          const invoiceId = invoices[each.annul % Math.max(1, invoices.length)];
          if (invoiceId !== undefined) await instance.act({ action: 'void_invoice', invoiceId });
          const settlementId = settlements[each.annul % Math.max(1, settlements.length)];
          if (settlementId !== undefined)
            await voidSettlement(instance.deps, settlementId, null, OPERATOR).catch(() => undefined);
        } else if ('invoice' in each) {
          const { preview, done, status } = await previewed('invoice', { billingPeriod: each.invoice });
          if (status !== 200) continue;
          const { invoice } = done as { invoice: Invoice };
          const { ledgerPosition, ...content } = (preview as { preview: Invoice }).preview;
          expect(invoice).toMatchObject(content);
          expect(invoice.ledgerPosition).toBeGreaterThanOrEqual(ledgerPosition);
          invoices.push(invoice.invoiceId);
          seen.invoices++;
        } else {
          const { settle: billingPeriod, merchantId } = each;
          const { preview, done, status } = await previewed('settlement', { billingPeriod, merchantId });
          if (status !== 200) continue;
          const { previews } = preview as { previews: SettlementPreview[] };
          const generated = (done as { settlements: Settlement[] }).settlements;
          expect(generated).toMatchObject(
            previews.map(({ rebates: _, ledgerPosition: __, ...content }) => content),
          );
          for (const { rebates, rebateApplied } of previews) {
            expect(sum(rebates.map(({ amount }) => amount))).toBe(rebateApplied);
            seen.rebates += rebates.length;
          }
          settlements.push(...generated.map(({ settlementId }) => settlementId));
          seen.settlements++;
        }
      }
    }),
    // Each run continues with the ledger of the previous one.
    { ...runs(5), examples: [[EVERYTHING]], endOnFailure: true },
  ));

it('a preview has nothing that only what was generated has', async () => {
  await instance.record([{ id: 'only', created_at: '2026-01-10T00:00:00.000Z' }]);
  const { body: invoice } = await instance.act({ action: 'preview_invoice', billingPeriod: '2026-01' });
  expect(Object.keys(invoice.preview as object).sort()).toEqual(
    [
      'billingPeriod',
      'currency',
      'feeCount',
      'ledgerPosition',
      'lines',
      'periodEnd',
      'periodStart',
      'replacesInvoiceId',
      'timeZone',
      'totalFee',
      'totalGross',
    ].sort(),
  );
  const { body } = await instance.act({
    action: 'preview_settlement',
    billingPeriod: '2026-01',
    merchantId: 'm-1',
  });
  for (const member of ['_id', 'settlementId', 'createdAt', 'version', 'reference'])
    expect(body.previews[0]).not.toHaveProperty(member);
});
