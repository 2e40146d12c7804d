import { createCalendar } from '../../contracts/time/calendar';
import type { Reaction } from '../../services/reactions/event-reaction';
import { SCENARIOS } from '../../infra/devnet/exchange/scenarios';
import {
  PartnerRefused,
  PartnerUnavailable,
  type ExchangePartner,
  type PartnerOrderState,
} from '../../contracts/ports/exchange-partner';
import { EARNED_FEES, earnedFees } from '../../services/billing/earned/reaction';
import { earnedFeeId } from '../../services/billing/earned/earned-fee';
import { workEarnedFees } from '../../services/billing/earned/worker';
import { exchangeCommissions, exchangeEarnings } from '../../services/exchange/commission/jobs';
import { workCommissions } from '../../services/exchange/commission/worker';
import { openInstance, type TestInstance } from '../billing/instance';
import { openPartner, type TestPartner } from './partner';
import { silent, TrackedOrders } from './tracked-orders';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PAYOUT_ADDRESS = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs';
const reactions: readonly Reaction[] = [exchangeCommissions, earnedFees(exchangeEarnings)];

let instance: TestInstance;
let orders: TrackedOrders;
let opened: TestPartner;
let partner: Pick<ExchangePartner, 'estimate' | 'orders'>;
let valuationCurrency: string | null;

beforeEach(async () => {
  instance = await openInstance();
  orders = new TrackedOrders({ store: instance.store, partner: async () => partner });
  opened = await openPartner({ now: () => orders.jobs.now });
  partner = opened.partner;
  valuationCurrency = 'usdton';
});
afterEach(async () => {
  await orders.stop();
  await opened.close();
  await instance.close();
});

function start(): void {
  const { jobs, store, handle, signal } = orders;
  orders.start();
  const deps = {
    store,
    handle,
    jobs,
    clock: jobs.clock,
    valuationCurrency,
    partner: async () => partner,
    logger: silent,
  };
  void workCommissions(deps, signal);
  const billing = {
    ...instance.deps,
    calendar: createCalendar('UTC'),
    now: () => jobs.clock().toISOString(),
  };
  void workEarnedFees({ ...billing, jobs: jobs as never, logger: silent }, signal);
}

async function exchange(orderId: string, to: 'ton' | 'usdton', amountFrom = '10.000001'): Promise<void> {
  const order = await opened.partner.createOrder(
    { from: 'sol', to, amountFrom, payoutAddress: PAYOUT_ADDRESS, refundAddress: null },
    { priority: 'order', signal: orders.signal },
  );
  await orders.record(orderId, order, 36 * HOUR, { toCurrency: to, amountFrom } as never);
}

const ledger = async () => (await instance.act({ action: 'list_fee_ledger' })).body;
const earned = async () =>
  (await orders.events()).filter(({ type }) => type === 'ExchangeCommissionEarned').map(({ data }) => data);

it('a finished order is a fee of the partner, and shows in the revenue', async () => {
  start();
  const { visibleAmount } = await partner.estimate({ from: 'sol', to: 'usdton' }, '10.000001', {
    priority: 'order',
    signal: orders.signal,
  });
  await exchange('o1', 'usdton');
  await orders.advance(HOUR, reactions);

  const [commission] = await earned();
  expect(commission).toMatchObject({ orderId: 'o1', partner: 'changelly', currency: 'usdton' });
  const [shown] = opened.double.orders();
  // A percentage of what the payment was worth before fees, which are a part of it.
  expect(Number(commission!['grossAmount'])).toBeCloseTo(Number(visibleAmount), 5);
  expect(Number(commission!['feeAmount'])).toBeCloseTo(
    (Number(visibleAmount) * Number(shown!.apiExtraFee)) / 100,
    5,
  );
  expect(Number(commission!['feeAmount'])).toBeGreaterThan(0);
  expect(Number(commission!['commission'])).toBeLessThan(Number(shown!.totalFee));

  const { rows, total } = await ledger();
  expect(total).toBe(1);
  expect(rows[0]).toMatchObject({
    id: earnedFeeId({ source: 'exchange', reference: 'o1' }),
    fee_type: 'swap',
    collection_status: 'pending',
    fee_amount: commission!['feeAmount'],
    gross_amount: commission!['grossAmount'],
    merchant_id: 'changelly',
    merchant_name: 'Changelly',
  });
  const revenue = JSON.stringify((await instance.act({ action: 'get_revenue' })).body);
  expect(revenue).toContain(commission!['feeAmount']);
});

it('is valued by the partner when it was paid in another currency', async () => {
  start();
  await exchange('o1', 'ton');
  await orders.advance(HOUR, reactions);
  const [commission] = await earned();
  const { visibleAmount } = await partner.estimate({ from: 'sol', to: 'usdton' }, '10.000001', {
    priority: 'order',
    signal: orders.signal,
  });
  expect(commission).toMatchObject({ currency: 'ton' });
  // The double has no spread between its rates.
  expect(Number(commission!['grossAmount']) / Number(visibleAmount)).toBeCloseTo(1, 3);
});

it.each(['exponents', 'json-numbers', 'many-decimals', 'negative-fees'] as const)(
  'follows from numbers with %s',
  async scenario => {
    start();
    await exchange('o1', 'ton', `10.${String(SCENARIOS[scenario].code).padStart(6, '0')}`);
    await orders.advance(HOUR, reactions);
    expect(await earned()).toMatchObject([{ orderId: 'o1', currency: 'ton' }]);
    const { amountTo, networkFee, totalFee } = opened.double.orders()[0]!;
    const fees = Number(totalFee) * (scenario === 'negative-fees' ? -1 : 1);
    const bought = Number(amountTo) + Number(networkFee) + fees;
    expect(Number((await earned())[0]!['commission'])).toBeCloseTo(bought * 0.004, 8);
    expect((await ledger()).total).toBe(1);
  },
);

it('is one fee when everything runs twice', async () => {
  start();
  await exchange('o1', 'usdton');
  await orders.advance(HOUR, reactions);
  orders.reactAgain();
  await orders.advance(HOUR, reactions);
  expect(await earned()).toHaveLength(1);
  expect((await ledger()).total).toBe(1);
});

it('waits until the partner values it', async () => {
  let isRefused = true;
  partner = {
    orders: (...call) => opened.partner.orders(...call),
    async estimate(...call) {
      if (isRefused) throw new PartnerRefused('currency_unavailable', 'disabled');
      return opened.partner.estimate(...call);
    },
  };
  start();
  await exchange('o1', 'ton');
  await orders.advance(DAY, reactions);
  expect(await earned()).toEqual([]);
  isRefused = false;
  await orders.advance(DAY, reactions);
  expect((await ledger()).total).toBe(1);
});

it.each([
  ['does not answer', () => Promise.reject(new PartnerUnavailable('down'))],
  ['does not say its fees yet', orders => orders.map(order => ({ ...order, totalFee: null }))],
] as const satisfies readonly (readonly [
  string,
  (orders: readonly PartnerOrderState[]) => readonly PartnerOrderState[] | Promise<never>,
])[])('is earned also where the partner, once an order has ended, %s', async (_, first) => {
  let isLate = false;
  partner = {
    estimate: (...call) => opened.partner.estimate(...call),
    async orders(...call) {
      const read = (await opened.partner.orders(...call)).map(order =>
        order.status === 'finished' && !isLate ? { ...order, totalFee: null } : order,
      );
      const hasEnded = (await orders.history('o1')).includes('finished');
      return hasEnded && !isLate ? first(read) : read;
    },
  };
  start();
  await exchange('o1', 'usdton');
  await orders.advance(HOUR, reactions);
  expect(await earned()).toEqual([]);
  isLate = true;
  await orders.advance(DAY, reactions);
  expect(await earned()).toMatchObject([{ orderId: 'o1' }]);
  expect((await ledger()).total).toBe(1);
  expect(orders.jobs.waiting.size).toBe(0);
});

it('is not valued by guess where no currency is known to be worth the instance’s', async () => {
  valuationCurrency = null;
  start();
  await exchange('o1', 'usdton');
  await orders.advance(HOUR, reactions);
  expect(await earned()).toEqual([]);
  expect([...orders.jobs.waiting.keys()].some(key => key.startsWith(EARNED_FEES))).toBe(false);
});
