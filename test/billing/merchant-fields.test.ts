import { verifyServed } from '../proofs/verify-served';
import { fee, openInstance, type TestInstance } from './instance';

let instance: TestInstance;
beforeAll(async () => {
  instance = await openInstance({ now: () => '2026-12-02T00:00:00.000Z' });
  await instance.record([
    fee({ id: 'a', merchant_id: 'm-1', merchant_slug: 'ann' }),
    fee({ id: 'b', merchant_id: 'm-2', merchant_slug: 'bob' }),
    fee({ id: 'c', merchant_id: 'm-3', merchant_slug: 'shared' }),
    fee({ id: 'd', merchant_id: 'm-4', merchant_slug: 'shared' }),
    fee({ id: 'e', merchant_id: 'm-5', merchant_slug: 'eve' }),
    fee({ id: 'f', merchant_id: 'm-5', merchant_slug: 'eva' }),
  ]);
  await instance.act({ action: 'set_rebate_rule', tiers: [{ from: '0', rate: '0.10' }] });
  await instance.act({ action: 'set_merchant', merchantId: 'm-9', name: 'New', slug: 'new' });
});
afterAll(() => instance.close());

const billingPeriod = '2026-11';
const act = async (action: string, more: object) => {
  const { status, body } = await instance.act({ action, ...more });
  return { status, body: body as Record<string, unknown> };
};

describe('a merchant is named by its id or its slug', () => {
  it('in previews, when settlements are generated, and where they and rebates are listed', async () => {
    const bySlug = await act('preview_settlement', { billingPeriod, merchantSlug: 'ann' });
    expect(bySlug).toMatchObject({ status: 200, body: { previews: [{ merchantId: 'm-1' }] } });
    expect(bySlug).toEqual(await act('preview_settlement', { billingPeriod, merchantId: 'm-1' }));
    expect(await act('generate_settlement', { billingPeriod, merchantSlug: 'ann' })).toMatchObject({
      status: 200,
      body: { settlements: [{ merchantId: 'm-1' }] },
    });
    await act('generate_settlement', { billingPeriod, merchantId: 'm-2' });
    for (const action of ['list_settlements', 'list_rebates']) {
      const found = await act(action, { merchantSlug: 'bob' });
      expect(found).toMatchObject({ status: 200, body: { total: 1, rows: [{ merchantId: 'm-2' }] } });
      expect(found).toEqual(await act(action, { merchantId: 'm-2' }));
    }
  });

  it('in the fee ledger and its export', async () => {
    for (const action of ['list_fee_ledger', 'export_revenue_csv'])
      expect(await act(action, { merchantId: 'm-1' })).toEqual(await act(action, { merchantSlug: 'ann' }));
    expect(await act('list_fee_ledger', { merchantId: 'm-1' })).toMatchObject({ body: { total: 1 } });
  });

  it('also one without fees, whose name was set', async () => {
    expect(await act('list_fee_ledger', { merchantId: 'm-9' })).toMatchObject({ body: { total: 0 } });
    expect(await act('list_settlements', { merchantSlug: 'new' })).toMatchObject({ body: { total: 0 } });
  });

  it('in a report with a proof, whose query has the field that the rows are found by', async () => {
    await verifyServed(instance, { action: 'list_settlements', merchantSlug: 'ann' });
    await verifyServed(instance, { action: 'list_fee_ledger', merchantId: 'm-1' });
  });
});

it.each([
  ['list_settlements', { merchantSlug: 'nobody' }, 422, 'merchant_not_found', /slug nobody/],
  ['list_fee_ledger', { merchantId: 'm-8' }, 422, 'merchant_not_found', /id m-8/],
  ['list_rebates', { merchantSlug: 'shared' }, 400, 'invalid_request', /^\/body\/merchantSlug: .* m-3, m-4/],
  ['list_fee_ledger', { merchantId: 'm-5' }, 400, 'invalid_request', /^\/body\/merchantId: .* eva, eve/],
  [
    'list_settlements',
    { merchantId: 'm-1', merchantSlug: 'ann' },
    400,
    'invalid_request',
    /^\/body\/merchantSlug: /,
  ],
])('%s of %j is refused', async (action, of, status, code, detail) => {
  expect(await act(action, of)).toMatchObject({
    status,
    body: { code, detail: expect.stringMatching(detail) },
  });
});
