import request from 'supertest';
import type { Rebate, Settlement } from '../../contracts/http/billing/settlements';
import { setRebateRule } from '../../services/billing/rebate/set-rule';
import { voidSettlement } from '../../services/billing/settlement/void';
import { crashPoints, createCrashInjector, type CrashPoint } from './crash-points';
import { openInstance, type TestInstance } from './instance';

const crashes = createCrashInjector();
let instance: TestInstance;
beforeEach(async () => {
  instance = await openInstance({ wrapStore: crashes.wrap, now: () => '2026-12-01T09:00:00.000Z' });
  await setRebateRule(instance.deps, [{ from: '0.00', rate: '0.10' }], OPERATOR);
  await instance.record([
    { id: 'a', gross_amount: '100', fee_amount: '10' },
    { id: 'b', gross_amount: '1', fee_amount: '10', merchant_id: 'm-2', merchant_slug: 'two' },
    { id: 'c', gross_amount: '50', fee_amount: '5', merchant_id: 'm-3', merchant_slug: 'three' },
  ]);
});
afterEach(() => instance.close());

const OPERATOR = { now: '2026-12-01T09:00:00.000Z', actor: 'operator' };
const GENERATE = { action: 'generate_settlement', billingPeriod: '2026-11' };

const interrupted = async (broken: CrashPoint, body: object): Promise<void> => {
  const { status } = await crashes.during(broken, () => instance.act(body));
  expect(status).toBe(500);
};
const settlements = async (): Promise<Settlement[]> =>
  ((await instance.act({ action: 'list_settlements' })).body as { rows: Settlement[] }).rows;
const rebates = async (): Promise<Rebate[]> =>
  ((await instance.act({ action: 'list_rebates' })).body as { rows: Rebate[] }).rows;

/** Each merchant is settled once, with its rebate and amount. */
async function expectAllSettled(): Promise<void> {
  const found = (await settlements()).sort((a, b) => (a.merchantId < b.merchantId ? -1 : 1));
  expect(found.map(({ merchantId, status, netAmount }) => [merchantId, status, netAmount])).toEqual([
    ['m-1', 'pending', '91.00'],
    ['m-2', 'carried', '-8.00'],
    ['m-3', 'pending', '45.50'],
  ]);
  const applied = await rebates();
  expect(applied).toHaveLength(3);
  for (const { merchantId, settlementId, status } of applied) {
    const own = found.find(settlement => settlement.merchantId === merchantId);
    expect([status, settlementId]).toEqual(['applied', own!.settlementId]);
  }
}

describe.each(crashPoints(3))('generate for all interrupted $when append $append', broken => {
  it('is completed by the next call', async () => {
    await interrupted(broken, GENERATE);
    const before = (await settlements()).map(({ settlementId }) => settlementId);
    const { status, body } = await instance.act(GENERATE);
    // Merchants are settled concurrently: the interrupted one was the only one, or one of three.
    expect([status, body.settlements?.length]).toEqual(
      before.length === 3 ? [409, undefined] : [200, 3 - before.length],
    );
    await expectAllSettled();
    expect((await settlements()).map(({ settlementId }) => settlementId)).toEqual(
      expect.arrayContaining(before),
    );
  });

  it('a retry with the same key has the same response', async () => {
    const token = await instance.token({ role: 'admin', secure: true });
    const keyed = async () =>
      request(instance.app)
        .post('/api/instance-admin')
        .set('Authorization', `Bearer ${token}`)
        .set('Idempotency-Key', 'november')
        .send(GENERATE);
    // The first append records the key.
    const off = { ...broken, append: broken.append + 1 };
    expect((await crashes.during(off, keyed)).status).toBe(500);
    const { status, body } = await keyed();
    expect([status, body.settlements?.length]).toEqual([200, 3]);
    await expectAllSettled();
    expect((await keyed()).body).toEqual(body);
  });
});

describe.each(crashPoints(1))('interrupted $when its append', broken => {
  const one = async (merchantId: string): Promise<string> => {
    await instance.act(GENERATE);
    return (await settlements()).find(each => each.merchantId === merchantId)!.settlementId;
  };

  it('generate for one merchant happens once', async () => {
    await interrupted(broken, { ...GENERATE, merchantId: 'm-1' });
    const { status } = await instance.act({ ...GENERATE, merchantId: 'm-1' });
    expect(status).toBe(broken.when === 'before' ? 200 : 409);
    expect(await settlements()).toMatchObject([{ merchantId: 'm-1', netAmount: '91.00' }]);
    expect(await rebates()).toHaveLength(1);
  });

  it('a payment happens once, with its rebate', async () => {
    const settlementId = await one('m-1');
    const pay = (reference: string) => ({ action: 'mark_settlement_paid', settlementId, reference });
    await interrupted(broken, pay('first'));
    const { status } = await instance.act(pay('second'));
    expect(status).toBe(broken.when === 'before' ? 200 : 409);
    const [paid] = (await settlements()).filter(each => each.status === 'paid');
    expect(paid).toMatchObject({ settlementId, reference: broken.when === 'before' ? 'second' : 'first' });
    expect((await rebates()).filter(each => each.status === 'paid')).toMatchObject([{ settlementId }]);
  });

  it('a void happens once, and frees the month with its rebate', async () => {
    const settlementId = await one('m-2');
    const annul = () => voidSettlement(instance.deps, settlementId, 'wrong', OPERATOR);
    await expect(crashes.during(broken, annul)).rejects.toThrow();
    if (broken.when === 'before') await annul();
    else await expect(annul()).rejects.toMatchObject({ code: 'settlement_already_void' });
    expect(await instance.act({ ...GENERATE, merchantId: 'm-2' })).toMatchObject({ status: 200 });
    const found = await settlements();
    expect(found.filter(({ merchantId }) => merchantId === 'm-2')).toHaveLength(2);
    expect((await rebates()).filter(({ merchantId }) => merchantId === 'm-2')).toMatchObject([
      { status: 'applied' },
    ]);
  });

  it('a rule is set once', async () => {
    const set = () => setRebateRule(instance.deps, [{ from: '5.00', rate: '0.20' }], OPERATOR);
    await expect(crashes.during(broken, set)).rejects.toThrow();
    const { rule, changed } = await set();
    expect([rule.versions.length, changed]).toEqual([2, broken.when === 'before']);
  });
});
