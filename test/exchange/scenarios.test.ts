import { SCENARIOS, type ScenarioName } from '../../infra/devnet/exchange/scenarios';
import { REQUEST } from './order';
import { openPartner } from './partner';
import { TrackedOrders } from './tracked-orders';

const HOUR = 3_600_000;
const PAYOUT_ADDRESS = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs';

/** The double of the partner as a server, with orders of one scenario each. */
async function track(
  names: readonly ScenarioName[],
  { speed, ms, expiresInMs }: { readonly speed: number; readonly ms: number; readonly expiresInMs: number },
): Promise<Map<ScenarioName, readonly string[]>> {
  const opened = await openPartner({ now: () => tracking.jobs.now, speed });
  const tracking = new TrackedOrders({ partner: async () => opened.partner });
  tracking.start();
  try {
    for (const name of names) {
      const amountFrom = `1.0000${String(SCENARIOS[name].code).padStart(2, '0')}`;
      const order = await opened.partner.createOrder(
        { from: 'sol', to: 'ton', amountFrom, payoutAddress: PAYOUT_ADDRESS, refundAddress: null },
        { priority: 'order', signal: tracking.signal },
      );
      await tracking.record(name, order, expiresInMs, { ...REQUEST, amountFrom } as never);
    }
    await tracking.advance(ms);
    const histories = new Map<ScenarioName, readonly string[]>();
    for (const name of names) histories.set(name, await tracking.history(name));
    return histories;
  } finally {
    await tracking.stop();
    await opened.close();
  }
}

const IN = 'ExchangePayinSeen';
const OUT = 'ExchangePayoutSent';
const ANOMALY = 'ExchangeOrderAnomalyObserved';
const EXPIRED = 'ExchangeOrderExpiryPassed';

const PAID: Partial<Record<ScenarioName, readonly string[]>> = {
  happy: ['waiting', IN, 'confirming', 'exchanging', OUT, 'sending', 'finished'],
  'hold-then-finish': ['waiting', IN, 'confirming', 'hold', 'exchanging', OUT, 'sending', 'finished'],
  refunded: ['waiting', IN, 'confirming', 'exchanging', 'refunded'],
  failed: ['waiting', IN, 'confirming', 'failed'],
  // Failed orders are read every 6 hours: in the end support had opened and finished it.
  'failed-then-reopened': ['waiting', IN, 'confirming', 'failed', OUT, 'finished'],
  'backward-status': ['waiting', IN, 'confirming', 'exchanging', OUT, 'sending', ANOMALY, 'finished'],
  'change-after-finish': ['waiting', IN, 'confirming', 'exchanging', OUT, 'sending', 'finished'],
  'unknown-status': ['waiting', IN, 'confirming', ANOMALY, 'exchanging', OUT, 'sending', 'finished'],
  underpaid: ['waiting', IN, 'confirming', 'exchanging', OUT, 'sending', 'finished'],
};

const UNPAID: Partial<Record<ScenarioName, readonly string[]>> = {
  unpaid: ['waiting', EXPIRED, 'overdue'],
  'late-payment': ['waiting', EXPIRED, 'overdue', IN, OUT, 'finished'],
  // It is overdue for less than the interval of late orders here.
  'late-payment-refunded': ['waiting', EXPIRED, IN, 'refunded'],
};

it('orders that are paid have the history that the partner shows', async () => {
  const names = Object.keys(PAID) as ScenarioName[];
  const seen = await track(names, { speed: 1, ms: 9 * HOUR, expiresInMs: 36 * HOUR });
  expect(Object.fromEntries(seen)).toEqual(PAID);
});

it('orders that are not paid in time are overdue, and come back when they are paid late', async () => {
  const names = Object.keys(UNPAID) as ScenarioName[];
  // The time for a payment, 36 hours, passes in one.
  const seen = await track(names, { speed: 36, ms: 3 * HOUR, expiresInMs: HOUR - 60_000 });
  expect(Object.fromEntries(seen)).toEqual(UNPAID);
});
