import type { Rebate, Settlement } from '../../contracts/http/billing/settlements';
import { sum } from '../../contracts/money/money';
import type { RebateTier } from '../../contracts/money/rebate-tiers';
import { setMerchant } from '../../services/billing/merchant/set';
import { setRebateRule } from '../../services/billing/rebate/set-rule';
import { voidSettlement } from '../../services/billing/settlement/void';
import { erase } from '../../services/erasure/erase';
import { openInstance, type FeeInput, type TestInstance } from './instance';

let instance: TestInstance;
beforeEach(async () => {
  instance = await openInstance({ now: () => '2026-12-10T09:00:00.000Z' });
});
afterEach(() => instance.close());

const OPERATOR = { now: '2026-12-10T09:00:00.000Z', actor: 'operator' };
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** A fee; by default of November and merchant m-1. */
let fees = 0;
const collect = (gross_amount: string, fee_amount: string, more: Partial<FeeInput> = {}) =>
  instance.record([{ id: `f-${fees++}`, gross_amount, fee_amount, ...more }]);
const OCTOBER = { created_at: '2026-10-20T11:00:00.000Z' };
const DECEMBER = { created_at: '2026-12-05T11:00:00.000Z' };
const OTHER = { merchant_id: 'm-2', merchant_name: 'Bob', merchant_slug: 'bob' };

const generate = (billingPeriod = '2026-11', merchantId?: string) =>
  instance.act({ action: 'generate_settlement', billingPeriod, merchantId });
const settled = async (billingPeriod = '2026-11', merchantId = 'm-1'): Promise<Settlement> => {
  const { status, body } = await generate(billingPeriod, merchantId);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return (body as { settlements: [Settlement] }).settlements[0];
};
const pay = (settlementId: string, more: object = {}) =>
  instance.act({ action: 'mark_settlement_paid', settlementId, ...more });
const annul = (settlementId: string, reason: string | null = null) =>
  voidSettlement(instance.deps, settlementId, reason, OPERATOR);
const setRule = (...tiers: RebateTier[]) => setRebateRule(instance.deps, tiers, OPERATOR);
const list = async (filter: object = {}): Promise<{ rows: Settlement[]; total: number }> =>
  (await instance.act({ action: 'list_settlements', ...filter })).body as {
    rows: Settlement[];
    total: number;
  };
const rebates = async (filter: object = {}): Promise<{ rows: Rebate[]; total: number }> =>
  (await instance.act({ action: 'list_rebates', ...filter })).body as { rows: Rebate[]; total: number };

describe.each(['settlement', 'invoice'])('of a month that has not begun, %s', what => {
  const BERLIN = { now: () => '2026-11-30T23:30:00.000Z', settings: { INSTANCE_TIME_ZONE: 'Europe/Berlin' } };

  it('is none, also where its fees are recorded already', async () => {
    await collect('100', '1', { created_at: '2027-01-02T11:00:00.000Z' });
    for (const action of [`generate_${what}`, `preview_${what}`])
      expect(await instance.act({ action, billingPeriod: '2027-01' })).toMatchObject({
        status: 400,
        body: {
          code: 'invalid_request',
          detail: '/body/billingPeriod: must be a month that has begun',
          errors: [{ pointer: '/body/billingPeriod', code: 'in_future' }],
        },
      });
  });

  it('is one once the month has begun where the instance is', async () => {
    const there = await openInstance(BERLIN);
    await there.record([{ id: 'new', created_at: '2026-11-30T23:10:00.000Z' }]);
    const { status } = await there.act({ action: `preview_${what}`, billingPeriod: '2026-12' });
    await there.close();
    expect(status).toBe(200);
  });
});

describe('a settlement', () => {
  it('is the amount collected for a merchant, less the fees', async () => {
    await collect('100', '1.50');
    await collect('50', '0.75', { fee_type: 'swap' });
    await collect('70', '0.5', { collection_status: 'pending' });
    await collect('9', '1', OCTOBER);
    await collect('8', '1', OTHER);
    const { status, body, headers } = await generate('2026-11', 'm-1');
    expect(status).toBe(200);
    expect(headers['x-ledger-position']).toBe(String(await instance.ledgerHead()));
    const [settlement] = (body as { settlements: Settlement[] }).settlements;
    expect(settlement).toMatchObject({
      billingPeriod: '2026-11',
      merchantId: 'm-1',
      merchantName: 'Espresso & Co',
      currency: 'USD',
      grossCollected: '150.00',
      feesCollected: '2.25',
      rebateApplied: '0.00',
      carriedIn: '0.00',
      netAmount: '147.75',
      status: 'pending',
      feeCount: 2,
      createdAt: OPERATOR.now,
      createdBy: 'admin@test',
      paidAt: null,
      reference: null,
      version: 1,
    });
    expect(await list()).toMatchObject({ rows: [settlement], total: 1 });
  });

  it('is made for every merchant with a balance, once', async () => {
    await collect('100', '1');
    await collect('50', '1', OTHER);
    await collect('0', '0', { merchant_id: 'm-3', merchant_slug: 'three' });
    await collect('10', '1', { merchant_id: 'm-4', merchant_slug: 'four', collection_status: 'pending' });
    const { body } = await generate();
    const made = (body as { settlements: Settlement[] }).settlements;
    expect(made.map(({ merchantId, netAmount }) => [merchantId, netAmount])).toEqual([
      ['m-1', '99.00'],
      ['m-2', '49.00'],
    ]);
    expect(await generate()).toMatchObject({ status: 409, body: { code: 'settlement_exists' } });
    await collect('5', '1', { merchant_id: 'm-5', merchant_slug: 'five' });
    expect((await generate()).body).toMatchObject({ settlements: [{ merchantId: 'm-5' }] });
    expect(await generate('2026-11', 'm-1')).toMatchObject({
      status: 409,
      body: { code: 'settlement_exists', settlementId: made[0]!.settlementId },
    });
  });

  it('has the latest name of the merchant, set by a command or with a fee', async () => {
    const annulled = async () => {
      const { settlementId, merchantName } = await settled();
      await annul(settlementId);
      return merchantName;
    };
    await collect('100', '1');
    const name = (given: string) =>
      setMerchant(instance.deps, { merchantId: 'm-1', name: given, slug: 'm-1' }, OPERATOR);
    await name('Espresso Ltd');
    expect(await annulled()).toBe('Espresso Ltd');
    await collect('100', '1', { merchant_name: 'Espresso of the fee' });
    expect(await annulled()).toBe('Espresso of the fee');
    await name('Espresso plc');
    expect(await settled()).toMatchObject({ merchantName: 'Espresso plc' });
  });

  it('is not made without an amount', async () => {
    for (const merchantId of [undefined, 'm-1', 'nobody'])
      expect(await generate('2026-11', merchantId)).toMatchObject({
        status: 422,
        body: { code: 'nothing_to_settle' },
      });
    await collect('10', '1');
    for (const period of ['2026-10', '2021-01', '0000-01'])
      expect(await generate(period)).toMatchObject({ status: 422, body: { code: 'nothing_to_settle' } });
    expect(await list()).toMatchObject({ rows: [], total: 0 });
  });

  it('is carried into the next one when it is negative, whatever its month', async () => {
    await collect('1', '5');
    await collect('10', '1', OCTOBER);
    const owing = await settled('2026-11');
    expect(owing).toMatchObject({ status: 'carried', netAmount: '-4.00', version: 2 });
    expect(await pay(owing.settlementId)).toMatchObject({
      status: 409,
      body: { code: 'settlement_not_pending' },
    });
    expect(await settled('2026-10')).toMatchObject({
      status: 'pending',
      carriedIn: '-4.00',
      carriedFrom: [owing.settlementId],
      netAmount: '5.00',
    });
  });

  it('includes late fees of settled months', async () => {
    await collect('100', '10');
    await instance.record([{ id: 'gone', gross_amount: '20', fee_amount: '2' }]);
    const november = await settled();
    expect(november).toMatchObject({ netAmount: '108.00', feeCount: 2 });
    await collect('7', '1');
    await instance.record([{ id: 'gone', action: 'reverse' }]);
    await collect('30', '3', DECEMBER);
    expect(await settled('2026-12')).toMatchObject({
      grossCollected: '17.00',
      feesCollected: '2.00',
      netAmount: '15.00',
      lines: [
        { billingPeriod: '2026-12', feeCount: 1, grossCollected: '30.00', feesCollected: '3.00' },
        { billingPeriod: '2026-11', feeCount: 0, grossCollected: '-13.00', feesCollected: '-1.00' },
      ],
    });
    // November itself is unchanged.
    expect((await list({ billingPeriod: '2026-11' })).rows).toEqual([november]);
  });

  it('includes late fees also for a merchant without any in the month', async () => {
    await collect('100', '10');
    await settled();
    await collect('7', '1');
    expect((await generate('2026-12')).body).toMatchObject({
      settlements: [{ netAmount: '6.00', lines: [{ billingPeriod: '2026-11' }] }],
    });
  });

  it('matches the events up to its position, while fees are recorded', async () => {
    let stop = false;
    const recording = (async () => {
      for (let batch = 0; !stop; batch++) {
        const rows = Array.from({ length: 20 }, (_, i) => ({
          id: `b-${batch}-${i}`,
          gross_amount: `${i}.${batch % 10}`,
          fee_amount: '0',
          created_at: i % 2 ? '2026-11-20T11:00:00Z' : '2026-10-20T11:00:00Z',
        }));
        await instance.record(rows);
        await instance.record(rows.slice(0, 3).map(({ id }) => ({ id, action: 'reverse' })));
      }
    })();
    const made: Settlement[] = [];
    // Each is of a month without fees, and includes the changes of October.
    for (let year = 1000; made.length < 12; year++) {
      expect(year).toBeLessThan(2_026);
      const period = made.length === 0 ? '2026-10' : `${year}-01`;
      const { status, body } = await generate(period, 'm-1');
      if (status === 200) made.push((body as { settlements: [Settlement] }).settlements[0]);
    }
    stop = true;
    await recording;

    const october = new Map<string, string>();
    const expected = [...made];
    let before = '0.00';
    let compared = 0;
    for await (const page of instance.store.readAll({ categories: ['fee'] }))
      for (const { position, type, data } of page) {
        while (expected[0] && expected[0].ledgerPosition < position) {
          const now = sum(october.values());
          expect(sum([before, expected.shift()!.grossCollected])).toBe(now);
          before = now;
          compared++;
        }
        if (data['billing_period'] !== '2026-10') continue;
        if (type === 'FeeReversed') october.delete(data['id'] as string);
        else october.set(data['id'] as string, data['gross_amount'] as string);
      }
    expect(compared).toBeGreaterThan(5);
  });
});

describe('a payment', () => {
  it('is recorded with its day and reference', async () => {
    await collect('100', '10');
    const { settlementId } = await settled();
    const { status, body, headers } = await pay(settlementId, {
      reference: 'SEPA 4711',
      paidAt: '2026-12-09T10:00:00+02:00',
    });
    expect(status).toBe(200);
    expect(headers['x-ledger-position']).toBe(String(await instance.ledgerHead()));
    expect(body.settlement).toMatchObject({
      status: 'paid',
      paidAt: '2026-12-09T08:00:00.000Z',
      paidBy: 'admin@test',
      reference: 'SEPA 4711',
      version: 2,
    });
    expect((await list()).rows).toEqual([body.settlement]);
  });

  it('is now by default, and without a reference', async () => {
    await collect('100', '10');
    expect((await pay((await settled()).settlementId)).body.settlement).toMatchObject({
      paidAt: OPERATOR.now,
      reference: null,
      referenceErased: false,
    });
  });

  it('is refused in the future, for a settlement without an amount, and when repeated', async () => {
    await collect('100', '10');
    const { settlementId } = await settled();
    expect(await pay(settlementId, { paidAt: '2026-12-10T09:00:00.001Z' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ pointer: '/body/paidAt' }] },
    });
    expect(await pay(UNKNOWN)).toMatchObject({ status: 404, body: { code: 'settlement_not_found' } });
    await pay(settlementId);
    expect(await pay(settlementId)).toMatchObject({
      status: 409,
      body: { code: 'settlement_already_paid' },
    });
  });

  it('stores its reference encrypted, until it is erased', async () => {
    await collect('100', '10');
    const { settlementId } = await settled();
    await pay(settlementId, { reference: 'to the account of Ann' });
    for await (const page of instance.store.readAll())
      expect(JSON.stringify(page)).not.toContain('to the account of Ann');
    await erase({ keys: instance.subjects, handle: instance.deps.handle }, 'admin@test', OPERATOR);
    expect((await list()).rows).toMatchObject([{ status: 'paid', reference: null, referenceErased: true }]);
  });
});

describe('a settlement that is void', () => {
  it('frees its month, and has a reason', async () => {
    await collect('100', '10');
    const first = await settled();
    await annul(first.settlementId, 'wrong account');
    await collect('5', '1');
    const second = await settled();
    expect(second).toMatchObject({ netAmount: '94.00', status: 'pending' });
    expect((await list({ status: 'void' })).rows).toMatchObject([
      { settlementId: first.settlementId, voidReason: 'wrong account', voidedBy: 'operator', version: 2 },
    ]);
    await expect(annul(first.settlementId)).rejects.toMatchObject({ code: 'settlement_already_void' });
    await expect(annul(UNKNOWN)).rejects.toMatchObject({ code: 'settlement_not_found' });
  });

  it('was not paid, and had no dependents', async () => {
    await collect('1', '5');
    const owing = await settled();
    await collect('10', '1', DECEMBER);
    const next = await settled('2026-12');
    await expect(annul(owing.settlementId)).rejects.toMatchObject({
      code: 'settlement_has_dependents',
      extra: { settlementId: next.settlementId },
    });
    await annul(next.settlementId);
    await annul(owing.settlementId);
    expect(await settled('2026-12')).toMatchObject({ carriedIn: '0.00', netAmount: '9.00' });
    const { settlementId } = (await list({ status: 'pending' })).rows[0]!;
    await pay(settlementId);
    await expect(annul(settlementId)).rejects.toMatchObject({ code: 'settlement_already_paid' });
  });
});

describe('rebates', () => {
  const TIERS = [
    { from: '10.00', rate: '0.05' },
    { from: '100.00', rate: '0.10' },
  ];

  it('are accrued, applied and paid with the settlement, by the rule at that time', async () => {
    await setRule(...TIERS);
    await collect('1000', '100.05');
    await collect('100', '9', OTHER);
    await generate();
    const [settlement] = (await list({ merchantId: 'm-1' })).rows;
    expect(settlement).toMatchObject({ rebateApplied: '10.00', netAmount: '909.95' });
    const { rows } = await rebates();
    expect(rows).toMatchObject([
      {
        billingPeriod: '2026-11',
        merchantId: 'm-1',
        merchantName: 'Espresso & Co',
        currency: 'USD',
        basisFee: '100.05',
        rate: '0.10',
        // 10.005 is halfway: to the even cent.
        amount: '10.00',
        ruleVersion: 1,
        status: 'applied',
        settlementId: settlement!.settlementId,
      },
    ]);
    await pay(settlement!.settlementId);
    await setRule({ from: '0.00', rate: '1.00' });
    expect((await rebates()).rows).toEqual([{ ...rows[0], status: 'paid' }]);
  });

  it('of a carried settlement are paid with the one that includes it', async () => {
    await setRule(...TIERS);
    await collect('1', '20');
    const owing = await settled();
    expect(owing).toMatchObject({ status: 'carried', rebateApplied: '1.00' });
    await collect('100', '10', DECEMBER);
    const next = await settled('2026-12');
    const status = async () =>
      (await rebates()).rows.map(rebate => [rebate.billingPeriod, rebate.status, rebate.settlementId]);
    expect(await status()).toEqual([
      ['2026-12', 'applied', next.settlementId],
      ['2026-11', 'applied', owing.settlementId],
    ]);
    await pay(next.settlementId);
    expect(await status()).toEqual([
      ['2026-12', 'paid', next.settlementId],
      ['2026-11', 'paid', owing.settlementId],
    ]);
    expect(await rebates({ status: 'paid' })).toMatchObject({ total: 2 });
    expect((await list({ billingPeriod: '2026-11' })).rows).toEqual([owing]);
  });

  it('are applied to the next settlement when theirs is voided', async () => {
    await setRule(...TIERS);
    await collect('1000', '100');
    const first = await settled();
    await annul(first.settlementId);
    expect((await rebates()).rows).toMatchObject([{ status: 'accrued', settlementId: null }]);
    const second = await settled();
    expect(await rebates()).toMatchObject({
      total: 1,
      rows: [{ status: 'applied', settlementId: second.settlementId }],
    });
    await annul(second.settlementId);
    await setRule({ from: '0.00', rate: '0.20' });
    const third = await settled();
    expect(await rebates({ status: 'void' })).toMatchObject({ total: 1, rows: [{ amount: '10.00' }] });
    expect(await rebates({ status: 'applied' })).toMatchObject({
      total: 1,
      rows: [{ amount: '20.00', ruleVersion: 2, settlementId: third.settlementId }],
    });
  });

  it('are reversed and computed again when a settled month changes', async () => {
    await setRule(...TIERS);
    await collect('1000', '99');
    await settled();
    await collect('10', '1');
    await settled('2026-12');
    const { rows } = await rebates({ billingPeriod: '2026-11' });
    expect(rows.map(({ basisFee, amount }) => [basisFee, amount]).sort()).toEqual([
      ['-99.00', '-4.95'],
      ['100.00', '10.00'],
      ['99.00', '4.95'],
    ]);
  });
});

describe('lists', () => {
  it('are newest period first, by status, period and merchant, in pages', async () => {
    await setRule({ from: '0.00', rate: '0.10' });
    for (const when of [OCTOBER, DECEMBER, {}]) {
      await collect('100', '10', when);
      await collect('1', '10', { ...when, ...OTHER });
    }
    for (const period of ['2026-10', '2026-11', '2026-12']) await generate(period);
    const [first] = (await list({ merchantId: 'm-1', billingPeriod: '2026-10' })).rows;
    await pay(first!.settlementId);

    expect((await list()).rows.map(({ billingPeriod }) => billingPeriod)).toEqual(
      ['2026-12', '2026-11', '2026-10'].flatMap(period => [period, period]),
    );
    for (const [filter, total] of [
      [{ status: 'carried' }, 3],
      [{ status: 'pending' }, 2],
      [{ billingPeriod: '2026-11' }, 2],
      [{ merchantId: 'm-1' }, 3],
      [{ merchantId: 'm-1', status: 'paid' }, 1],
      [{ merchantId: 'm-2', billingPeriod: '2026-11', status: 'carried' }, 1],
      [{ merchantId: 'm-2', billingPeriod: '2026-11', status: 'void' }, 0],
      [{ billingPeriod: '2026-11', status: 'pending' }, 1],
    ] as const) {
      const found = await list(filter);
      expect(found).toMatchObject({ total });
      expect(found.rows).toHaveLength(total);
      for (const row of found.rows) expect(row).toMatchObject(filter);
    }
    expect(await list({ page: 2, pageSize: 4 })).toMatchObject({ total: 6, page: 2, rows: [{}, {}] });
    expect(await list({ page: 9 })).toMatchObject({ total: 6, rows: [] });
    expect(await rebates({ merchantId: 'm-1', status: 'paid' })).toMatchObject({ total: 1 });
    expect(await rebates({ billingPeriod: '2026-12' })).toMatchObject({ total: 2 });
  });
});

describe('fifty concurrent calls', () => {
  const fifty = <T>(attempt: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: 50 }, (_, i) => attempt(i)));
  const count = (answers: readonly { status: number }[], status: number) =>
    answers.filter(answer => answer.status === status).length;

  it('create one settlement per merchant and month, and pay it once', async () => {
    await setRule({ from: '0.00', rate: '0.10' });
    await collect('100', '10');
    const generated = await fifty(index => generate('2026-11', index % 2 ? 'm-1' : undefined));
    expect([count(generated, 200), count(generated, 409)]).toEqual([1, 49]);
    const { rows, total } = await list();
    expect(total).toBe(1);
    for (const { status, body } of generated)
      if (status === 409)
        expect(body).toMatchObject({ code: 'settlement_exists', settlementId: rows[0]!.settlementId });

    const paid = await fifty(index => pay(rows[0]!.settlementId, { reference: `payment ${index}` }));
    expect([count(paid, 200), count(paid, 409)]).toEqual([1, 49]);
    const winner = paid.find(({ status }) => status === 200)!;
    expect((await list()).rows).toEqual([winner.body.settlement]);
    expect(await rebates()).toMatchObject({ total: 1, rows: [{ status: 'paid' }] });
  });

  it('include a carried balance once, whatever their months', async () => {
    await collect('1', '50');
    await settled();
    const months = Array.from({ length: 10 }, (_, i) => `2025-${String(i + 1).padStart(2, '0')}`);
    for (const month of months) await collect('10', '1', { created_at: `${month}-05T00:00:00Z` });
    await collect('3', '1');
    await Promise.all(months.map(month => generate(month, 'm-1')));
    for (const month of months) await generate(month, 'm-1');

    const { rows } = await list();
    expect(rows).toHaveLength(11);
    const taken = rows.flatMap(({ carriedFrom }) => carriedFrom);
    expect(new Set(taken).size).toBe(taken.length);
    const open = rows.filter(
      ({ status, settlementId }) => status === 'carried' && !taken.includes(settlementId),
    );
    const pending = rows.filter(({ status }) => status === 'pending');
    expect(sum([...open, ...pending].map(({ netAmount }) => netAmount))).toBe('43.00');
  });
});

it('lists those of one call, and their rebates, the last one first', async () => {
  await setRule({ from: '0.00', rate: '0.10' });
  for (let n = 0; n < 12; n++) await collect('10', '1', { merchant_id: `m-${n}`, merchant_slug: `s-${n}` });
  expect((await generate()).status).toBe(200);
  const order: string[] = [];
  const pages = instance.store.readAll({ categories: ['settlement'], direction: 'backwards' });
  for await (const page of pages)
    for (const { type, data } of page)
      if (type === 'SettlementGenerated') order.push(data['merchantId'] as string);
  for (const { rows } of [await list(), await rebates()]) {
    expect(rows.map(({ merchantId }) => merchantId)).toEqual(order);
    expect(new Set(rows.map(({ createdAt }) => createdAt)).size).toBe(1);
  }
});
