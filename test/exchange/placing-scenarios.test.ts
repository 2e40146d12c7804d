import { pino } from 'pino';
import { exchangeOrderStream } from '../../contracts/events/exchange-order';
import type { PartnerCall } from '../../contracts/ports/exchange-partner';
import { startChangellyDouble, type ChangellyDouble } from '../../infra/devnet/exchange/changelly-double';
import { SCENARIOS, type ScenarioName } from '../../infra/devnet/exchange/scenarios';
import { createChangelly } from '../../infra/engines/exchange-partner/changelly/changelly';
import { createSigner } from '../../infra/engines/exchange-partner/changelly/signer';
import { exchangeOrderKind } from '../../services/exchange/order/decider';
import { createHandle } from '../../services/commands/handle';
import { PAYOUT, privateKey, publicKey } from '../devnet/changelly';
import { Placing } from './placing';

const FLOAT_ORDER_SECONDS = 36 * 3_600;
const CALL: PartnerCall = { priority: 'background', signal: new AbortController().signal };

let placing: Placing;
let double: ChangellyDouble;
let adapter: ReturnType<typeof connect>;
const connect = (timeoutMs: number) =>
  createChangelly({
    url: double.url,
    signer: createSigner(privateKey),
    sandbox: true,
    requestsPerSecond: 1_000,
    logger: pino({ level: 'silent' }),
    backoffMs: 1,
    timeoutMs,
    maxBytes: 1_000_000,
  });

beforeAll(async () => {
  placing = new Placing();
  double = await startChangellyDouble({
    publicKey,
    now: () => placing.now,
    requestsPerSecond: Infinity,
    slowMs: 120_000,
  });
  adapter = connect(60_000);
});
afterAll(async () => {
  await adapter.close();
  await double.close();
});
beforeEach(() => {
  placing.port = adapter;
});

/** Reads the order at the partner as a poll does. */
async function poll(orderId: string, partnerOrderId: string): Promise<void> {
  const [order] = await adapter.orders([partnerOrderId], CALL);
  await createHandle(placing)(exchangeOrderKind, exchangeOrderStream(orderId), {
    type: 'observe',
    order: order!,
    metadata: { now: placing.clock().toISOString(), actor: 'poll' },
  });
}

/** Places an order of a scenario, and reads it after each of its steps, twice. @returns what has happened */
async function play(scenario: ScenarioName, id: string = scenario): Promise<string[]> {
  const { code, steps } = SCENARIOS[scenario];
  const amountFrom = `1.${String(code).padStart(6, '0')}`;
  await placing.request(id, { amountFrom, payoutAddress: PAYOUT });
  await placing.finish(id);
  const partnerOrderId = placing.shown(id);
  if (partnerOrderId !== null)
    for (const seconds of [
      0,
      ...steps.map(([status, after]) => (status === 'unpaid' ? FLOAT_ORDER_SECONDS : after)),
    ]) {
      placing.now += seconds * 1_000 + (seconds === 0 ? 1_000 : 0);
      await poll(id, partnerOrderId);
      await poll(id, partnerOrderId);
    }
  return placing.events(id).map(({ type, data }) => {
    if (type === 'ExchangeOrderStatusObserved') return data.to;
    if (type === 'ExchangeOrderAnomalyObserved') return `anomaly: ${data.observed}`;
    if (type === 'ExchangeOrderAbandoned' || type === 'ExchangeOrderRejected')
      return `${type}: ${data.reason}`;
    return type;
  });
}

const ASKED = ['ExchangeOrderRequested', 'ExchangePartnerCallStarted'];
const CREATED = [...ASKED, 'ExchangeOrderCreated', 'waiting'];
const LOST = [...ASKED, 'ExchangeOrderOutcomeUnknown'];
const FOUND = [...LOST, 'ExchangeOrderAdopted', 'waiting'];
/** Nothing had been made: the call is repeated once. */
const REPEATED = [...LOST, 'ExchangePartnerCallStarted', 'ExchangeOrderCreated', 'waiting'];
const CALLED_LATER = [
  ...ASKED,
  'ExchangePartnerCallFailed',
  'ExchangePartnerCallStarted',
  'ExchangeOrderCreated',
  'waiting',
];
const PAYIN = ['ExchangePayinSeen', 'confirming'];
const PAYOUT_SENT = ['ExchangePayoutSent', 'sending'];
const TO_THE_END = ['exchanging', ...PAYOUT_SENT, 'finished'];
const PAID = [...PAYIN, ...TO_THE_END];

const EXPECTED: Readonly<Record<ScenarioName, readonly string[]>> = {
  happy: [...CREATED, ...PAID],
  'hold-then-finish': [...CREATED, ...PAYIN, 'hold', ...TO_THE_END],
  'late-payment': [...CREATED, 'overdue', ...PAID],
  unpaid: [...CREATED, 'overdue'],
  'late-payment-refunded': [...CREATED, 'overdue', ...PAYIN, 'refunded'],
  refunded: [...CREATED, ...PAYIN, 'exchanging', 'refunded'],
  failed: [...CREATED, ...PAYIN, 'failed'],
  'failed-then-reopened': [...CREATED, ...PAYIN, 'failed', ...TO_THE_END],
  'backward-status': [...CREATED, ...PAYIN, 'exchanging', ...PAYOUT_SENT, 'anomaly: waiting', 'finished'],
  'change-after-finish': [...CREATED, ...PAID, 'anomaly: refunded'],
  'unknown-status': [...CREATED, ...PAYIN, 'anomaly: under_review', ...TO_THE_END],
  underpaid: [...CREATED, ...PAID],
  'duplicate-id': [
    ...LOST,
    'ExchangePartnerCallStarted',
    'ExchangeOrderOutcomeUnknown',
    'ExchangeOrderAbandoned: not_found',
  ],
  exponents: [...CREATED, ...PAID],
  'json-numbers': [...CREATED, ...PAID],
  'many-decimals': [...CREATED, ...PAID],
  'negative-fees': [...CREATED, ...PAID],
  'commit-then-drop': [...FOUND, ...PAID],
  'drop-before-commit': [...REPEATED, ...PAID],
  'commit-then-502': [...FOUND, ...PAID],
  'http-502': [...REPEATED, ...PAID],
  'http-429': [...CALLED_LATER, ...PAID],
  'requests-limit': [...CALLED_LATER, ...PAID],
  'internal-error': [...REPEATED, ...PAID],
  html: [...REPEATED, ...PAID],
  'wrong-id': [...FOUND, ...PAID],
  truncated: [...FOUND, ...PAID],
  huge: [...FOUND, ...PAID],
  slow: [...FOUND, ...PAID],
};

it.each(Object.entries(EXPECTED) as [ScenarioName, readonly string[]][])('%s', async (scenario, expected) => {
  const impatient = connect(500);
  if (scenario === 'slow') placing.port = { ...adapter, createOrder: impatient.createOrder };
  const before = double.orders().length;
  expect(await play(scenario)).toEqual(expected);
  // One at the partner for one of ours, or one that nobody was shown.
  expect(double.orders().length - before).toBeLessThanOrEqual(scenario === 'duplicate-id' ? 2 : 1);
  await impatient.close();
});

it.each([
  ['an amount below the limit', { amountFrom: '0.0001' }, 'amount_too_low'],
  ['an amount beyond the limit', { amountFrom: '9' }, 'amount_too_high'],
  ['a currency that is disabled', { fromCurrency: 'xmr' }, 'currency_unavailable'],
  ['an address that is none', { payoutAddress: 'nowhere' }, 'address_invalid'],
])('%s is rejected', async (what, more, reason) => {
  await placing.request(what, { amountFrom: '0.1', payoutAddress: PAYOUT, ...more });
  await placing.finish(what);
  expect(placing.events(what).map(({ type }) => type)).toEqual([...ASKED, 'ExchangeOrderRejected']);
  expect(placing.events(what).at(-1)!.data).toMatchObject({ reason });
});

it('what is shown of a finished order is what was paid', async () => {
  await play('happy', 'to look at');
  const order = placing.events('to look at').reduce(exchangeOrderKind.decider.evolve, null)!;
  expect(order).toMatchObject({ status: 'finished', partnerStatus: 'finished', placing: { step: 'placed' } });
  const [shown] = double.orders().filter(({ id }) => id === order.placed!.partnerOrderId);
  const { payinHash, payoutHash, totalFee } = order.progress;
  expect({ payinHash, payoutHash, totalFee }).toEqual({
    payinHash: shown!.payinHash,
    payoutHash: shown!.payoutHash,
    totalFee: expect.stringMatching(/^\d/) as unknown,
  });
  expect(order.placed!.payinAddress).toBe(shown!.payinAddress);
});
