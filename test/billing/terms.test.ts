import request from 'supertest';
import type { Settlement } from '../../contracts/http/billing/settlements';
import { openInstance, type TestInstance } from './instance';

let instance: TestInstance;
beforeEach(async () => {
  instance = await openInstance({ now: () => '2026-12-10T09:00:00.000Z' });
});
afterEach(() => instance.close());

const act = (action: string, fields: object = {}) => instance.act({ action, ...fields });
const settle = async (billingPeriod: string): Promise<Settlement> =>
  (await act('generate_settlement', { billingPeriod, merchantId: 'm-1' })).body.settlements[0] as Settlement;

describe('void_settlement', () => {
  it('frees the month, and shows the reason', async () => {
    await instance.record([{ id: 'a' }]);
    const { settlementId } = await settle('2026-11');
    const { status, body, headers } = await act('void_settlement', { settlementId, reason: 'wrong bank' });
    expect([status, body.settlement]).toMatchObject([
      200,
      { settlementId, status: 'void', voidReason: 'wrong bank', voidedBy: 'admin@test' },
    ]);
    expect(headers['x-ledger-position']).toMatch(/^\d+$/);
    expect(await act('void_settlement', { settlementId, reason: 'again' })).toMatchObject({
      status: 409,
      body: { code: 'settlement_already_void' },
    });
    expect((await settle('2026-11')).netAmount).toBe('98.50');
    // The reason is personal text.
    expect((await instance.bytes()).includes('wrong bank')).toBe(false);
  });

  it('refuses one that a later settlement depends on, and one that is paid', async () => {
    await instance.record([
      { id: 'a', gross_amount: '1.00', fee_amount: '9.00', created_at: '2026-10-02T00:00:00Z' },
    ]);
    await instance.record([{ id: 'b' }]);
    const carried = await settle('2026-10');
    const later = await settle('2026-11');
    const fields = { settlementId: carried.settlementId, reason: 'no' };
    expect(await act('void_settlement', fields)).toMatchObject({
      status: 409,
      body: { code: 'settlement_has_dependents', settlementId: later.settlementId },
    });
    await act('void_settlement', { settlementId: later.settlementId, reason: 'first this one' });
    expect(await act('void_settlement', fields)).toMatchObject({ status: 200 });

    const paid = await settle('2026-11');
    await act('mark_settlement_paid', { settlementId: paid.settlementId });
    expect(await act('void_settlement', { settlementId: paid.settlementId, reason: 'no' })).toMatchObject({
      status: 409,
      body: { code: 'settlement_already_paid' },
    });
  });
});

describe('the rebate rule', () => {
  it('has a version for each change, and settlements use the last one', async () => {
    expect((await act('get_rebate_rule')).body).toEqual({ rule: null });
    await act('set_rebate_rule', { tiers: [{ from: '0', rate: '0.5' }] });
    const set = {
      tiers: [
        { from: '0', rate: '0.10' },
        { from: '1000', rate: '0.20' },
      ],
    };
    const { body } = await act('set_rebate_rule', set);
    expect(body.rule.versions).toMatchObject([
      { version: 1, tiers: [{ from: '0.00', rate: '0.50' }], setBy: 'admin@test' },
      {
        version: 2,
        tiers: [
          { from: '0.00', rate: '0.10' },
          { from: '1000.00', rate: '0.20' },
        ],
      },
    ]);
    // Setting the same again changes nothing.
    expect((await act('set_rebate_rule', set)).body).toEqual(body);
    expect((await act('get_rebate_rule')).body).toEqual(body);

    await instance.record([{ id: 'a', fee_amount: '10.00' }]);
    expect((await settle('2026-11')).rebateApplied).toBe('1.00');
  });

  it('is set once for each idempotency key', async () => {
    const token = await instance.token({ role: 'admin', secure: true });
    const set = () =>
      request(instance.app)
        .post('/api/instance-admin')
        .set({ Authorization: `Bearer ${token}`, 'Idempotency-Key': 'k' })
        .send({ action: 'set_rebate_rule', tiers: [{ from: '0', rate: '0.5' }] });
    const first = await set();
    const second = await set();
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.body).toEqual(first.body);
    expect((await act('get_rebate_rule')).body.rule.versions).toHaveLength(1);
  });
});

describe('merchants', () => {
  it('are named, and listed page by page', async () => {
    for (const n of [3, 1, 2])
      await act('set_merchant', { merchantId: `m-${n}`, name: `Name ${n}`, slug: `s-${n}` });
    const { body } = await act('set_merchant', { merchantId: 'm-1', name: 'Новое имя' });
    expect(body.merchant).toEqual({
      merchantId: 'm-1',
      name: 'Новое имя',
      slug: 's-1',
      setAt: '2026-12-10T09:00:00.000Z',
      setBy: 'admin@test',
    });
    const first = (await act('list_merchants', { pageSize: 2 })).body;
    expect(first.merchants.map(({ name }: { name: string }) => name)).toEqual(['Новое имя', 'Name 2']);
    expect(first.next).toBe('m-2');
    const second = (await act('list_merchants', { pageSize: 2, after: first.next })).body;
    expect(second).toMatchObject({ merchants: [{ merchantId: 'm-3', slug: 's-3' }], next: null });
    expect((await act('list_merchants', { pageSize: 3 })).body.next).toBeNull();
  });

  it('refuse the slug of another one, and a new one without a name', async () => {
    await act('set_merchant', { merchantId: 'm-1', name: 'Ann', slug: 'ann' });
    expect(await act('set_merchant', { merchantId: 'm-2', name: 'Bob', slug: 'ann' })).toMatchObject({
      status: 409,
      body: { code: 'merchant_slug_taken', merchantId: 'm-1' },
    });
    expect(await act('set_merchant', { merchantId: 'm-2', name: 'Bob' })).toMatchObject({
      status: 422,
      body: { code: 'merchant_not_found' },
    });
  });
});
