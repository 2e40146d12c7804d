import { isRefusal } from '../../../contracts/decider';
import type { ExchangeOrderEvent } from '../../../contracts/events/exchange-order';
import {
  at,
  metadata,
  NONE_UNPAID,
  ORDER_ID,
  partnerOrder,
  PROGRESS,
  REQUEST,
  requested,
} from '../../../test/exchange/order';
import { exchangeOrderKind, type ExchangeOrderCommand } from './decider';
import { MAX_UNPAID_FOR_WALLET } from './unpaid-orders';

const EXPIRES = at(3_600);
const HASH = '1a'.repeat(32);
const orderId = ORDER_ID;

const started = (attempt: number, second = 0): ExchangeOrderEvent => ({
  type: 'ExchangePartnerCallStarted',
  data: { orderId, at: at(second), attempt },
});
const failed = (attempt: number, second: number): ExchangeOrderEvent => ({
  type: 'ExchangePartnerCallFailed',
  data: { orderId, at: at(second), attempt, retryAt: at(second + 2), message: 'not reached' },
});
const unknown = (attempt: number, second: number): ExchangeOrderEvent => ({
  type: 'ExchangeOrderOutcomeUnknown',
  data: { orderId, at: at(second), attempt },
});
const rejected: ExchangeOrderEvent = {
  type: 'ExchangeOrderRejected',
  data: { orderId, at: at(1), reason: 'amount_too_low', message: 'Minimal amount is 0.2 btc' },
};
const abandoned = (reason: 'not_found' | 'ambiguous' | 'partner_unavailable', second: number) =>
  ({ type: 'ExchangeOrderAbandoned', data: { orderId, at: at(second), reason } }) as const;
const placed = (type: 'ExchangeOrderCreated' | 'ExchangeOrderAdopted', second: number, id = 'p1') => {
  const { payinAddress, payinExtraId, payoutAddress, refundAddress, trackUrl, ...order } = partnerOrder({
    id,
  });
  const { amountExpectedFrom, amountExpectedTo, createdAt: partnerCreatedAt } = order;
  const addresses = { payinAddress, payinExtraId, payoutAddress, refundAddress };
  const expected = { amountExpectedFrom, amountExpectedTo, partnerCreatedAt };
  const rest = { expiresAt: EXPIRES, trackUrl, progress: PROGRESS };
  return {
    type,
    data: { orderId, at: at(second), partnerOrderId: id, ...addresses, ...expected, ...rest },
  } as const;
};
const created = placed('ExchangeOrderCreated', 1);
const moved = (from: string, to: string, more: object = {}, second = 9, shown = to): ExchangeOrderEvent =>
  ({
    type: 'ExchangeOrderStatusObserved',
    data: { orderId, at: at(second), from, to, shown, progress: { ...PROGRESS, ...more } },
  }) as ExchangeOrderEvent;
const resolvedBy = (by: string, from: string, second: number): ExchangeOrderEvent =>
  ({
    type: 'ExchangeOrderResolved',
    data: { orderId, at: at(second), from, by, resolution: 'dismissed' },
  }) as ExchangeOrderEvent;
const resolved = (from: string, second: number) => resolvedBy('wallet', from, second);
const anomaly = (from: string, observed: string, second = 9): ExchangeOrderEvent =>
  ({
    type: 'ExchangeOrderAnomalyObserved',
    data: { orderId, at: at(second), from, observed },
  }) as ExchangeOrderEvent;

const command = <const C extends { type: ExchangeOrderCommand['type'] }>(fields: C, second = 9) =>
  ({ ...fields, metadata: metadata(second) }) as C & Pick<ExchangeOrderCommand, 'metadata'>;
const request = (more: object = {}, unpaid: object = {}, maxUnpaid = 0) =>
  command(
    {
      type: 'request',
      request: { ...REQUEST, ...more },
      unpaid: { ...NONE_UNPAID.unpaid, ...unpaid },
      maxUnpaid,
    },
    0,
  );
const FULL = { forWallet: MAX_UNPAID_FOR_WALLET };
const startCall = (second: number) => command({ type: 'startCall' }, second);
const answer = (id = 'p1', status = 'new') => ({ order: partnerOrder({ id, status }), expiresAt: EXPIRES });
const recordCreated = (second: number, id = 'p1', status = 'new') =>
  command({ type: 'recordCreated', ...answer(id, status) }, second);
const recordRejected = (attempt: number) =>
  command({ ...rejected.data, type: 'recordRejected', attempt }, 1) as ExchangeOrderCommand;
const recordFailed = (attempt: number, second: number) =>
  command({ type: 'recordCallFailed', attempt, retryAt: at(second + 2), message: 'not reached' }, second);
const recordUnknown = (attempt: number, second: number) =>
  command({ type: 'recordOutcomeUnknown', attempt }, second);
const search = (second: number, ...ids: string[]) =>
  command({ type: 'recordSearch', found: ids.map(id => answer(id)) }, second);
const observe = (status: string, more: object = {}, second = 9) =>
  command({ type: 'observe', order: partnerOrder({ status, ...more }) }, second);
const LATE = 3_600 + 7 * 86_400;
const remove = (second: number) => command({ type: 'remove' }, second);
const removed = (second: number): ExchangeOrderEvent => ({
  type: 'ExchangeOrderRemoved',
  data: { orderId, at: at(second) },
});
const resolve = (second = 9, source: string = REQUEST.source) =>
  command({ type: 'resolve', by: 'wallet', source }, second);
const EARNED = { commission: '7.28', currency: 'ton', feeAmount: '21.84', grossAmount: '5459.70' };
const earn = command({ type: 'earnCommission', ...EARNED });
const earned: ExchangeOrderEvent = {
  type: 'ExchangeCommissionEarned',
  data: { orderId, at: at(9), partner: 'changelly', ...EARNED },
};

const { initial, evolve, decide } = exchangeOrderKind.decider;
const stateAfter = (events: readonly ExchangeOrderEvent[]) => events.reduce(evolve, initial());

const lost = [requested, started(1), unknown(1, 20)];
const lostTwice = [...lost, started(2, 80), unknown(2, 100)];
const waiting = [requested, started(1), created, moved('new', 'waiting', {}, 2)];
const FAILED = moved('waiting', 'failed', {}, 3);
const FINISHED = moved('waiting', 'finished', {}, 3);

type Case = [string, readonly ExchangeOrderEvent[], ExchangeOrderCommand, unknown];
const cases: Case[] = [
  ['is requested', [], request(), [requested]],
  ['is requested once', [requested], request(), []],
  ['is requested once, also when there are too many', [requested], request({}, FULL), []],
  ['is not changed by the same key', [requested], request({ requestHash: '00' }), 'exchange_key_reused'],
  ['is refused when too many are unpaid', [], request({}, FULL), 'too_many_exchange_orders'],
  [
    'is refused when all have made too many',
    [],
    request({}, { ofAll: 100 }, 100),
    'too_many_exchange_orders',
  ],
  [
    'is refused when the caller has its share',
    [],
    request({}, { fromSource: 25, ofAll: 25 }, 100),
    'too_many_exchange_orders',
  ],
  ['is requested while others have theirs', [], request({}, { fromSource: 0, ofAll: 99 }, 100), [requested]],
  ['does not exist before it is requested', [], startCall(0), 'exchange_order_not_found'],

  ['is asked for', [requested], startCall(0), [started(1)]],
  ['is asked for by one worker', [requested, started(1)], startCall(1), []],
  ['is not asked for again too early', [requested, started(1), failed(1, 1)], startCall(2.9), []],
  ['is asked for again', [requested, started(1), failed(1, 1)], startCall(3), [started(2, 3)]],
  ['is not asked for again while its outcome is unknown', lost, startCall(90), []],
  ['is not asked for again once it is placed', waiting, startCall(90), []],

  ['is created', [requested, started(1)], recordCreated(1), [created]],
  ['is created once', [requested, started(1), created], recordCreated(2, 'p2'), []],
  [
    'is created with what has happened to it since',
    [requested, started(1)],
    recordCreated(1, 'p1', 'waiting'),
    [created, moved('new', 'waiting', {}, 1)],
  ],
  ['is created by an answer that is late', lost, recordCreated(30), [placed('ExchangeOrderCreated', 30)]],
  ['is not created once it was abandoned', [...lost, abandoned('ambiguous', 80)], recordCreated(90), []],

  ['is rejected', [requested, started(1)], recordRejected(1), [rejected]],
  ['is not rejected by the answer to an earlier call', [...lost, started(2, 80)], recordRejected(1), []],
  ['is not rejected once it is placed', waiting, recordRejected(1), []],
  ['waits for the next call', [requested, started(1)], recordFailed(1, 1), [failed(1, 1)]],
  [
    'is abandoned after five calls',
    [requested, started(5)],
    recordFailed(5, 1),
    [failed(5, 1), abandoned('partner_unavailable', 1)],
  ],
  ['has an unknown outcome', [requested, started(1)], recordUnknown(1, 20), [unknown(1, 20)]],
  ['has an unknown outcome once for each call', lost, recordUnknown(1, 21), []],
  ['has its outcome once it is placed', waiting, recordUnknown(1, 21), []],

  ['is found', lost, search(21, 'p1'), [placed('ExchangeOrderAdopted', 21)]],
  ['is searched for again', lost, search(79.9), []],
  ['is searched for again while there are several', lost, search(79.9, 'p1', 'p2'), []],
  ['is asked for again when it was not found', lost, search(80), [started(2, 80)]],
  ['is abandoned when it was not found again', lostTwice, search(160), [abandoned('not_found', 160)]],
  [
    'is found after the second call',
    lostTwice,
    search(160, 'p2'),
    [placed('ExchangeOrderAdopted', 160, 'p2')],
  ],
  ['is abandoned when there are several', lost, search(80, 'p1', 'p2'), [abandoned('ambiguous', 80)]],
  ['is not searched for while the partner is asked', [requested, started(1)], search(80, 'p1'), []],
  ['is not found twice', [...lost, placed('ExchangeOrderAdopted', 21)], search(22, 'p2'), []],

  ['is not moved by what has not changed', waiting, observe('waiting'), []],
  [
    'is paid',
    waiting,
    observe('confirming', { payinHash: HASH, amountFrom: '0.1' }),
    [
      { type: 'ExchangePayinSeen', data: { orderId, at: at(9), hash: HASH, amount: '0.1' } },
      moved('waiting', 'confirming', { payinHash: HASH, amountFrom: '0.1' }),
    ],
  ],
  [
    'shows what becomes known while its status stays',
    [...waiting, FINISHED],
    observe('finished', { payoutHash: HASH, totalFee: '7.28' }),
    [
      { type: 'ExchangePayoutSent', data: { orderId, at: at(9), hash: HASH, amount: null } },
      {
        type: 'ExchangeOrderProgressObserved',
        data: { orderId, at: at(9), progress: { ...PROGRESS, payoutHash: HASH, totalFee: '7.28' } },
      },
    ],
  ],
  ['is not changed by a rate that floats', waiting, observe('waiting', { rate: '18201' }), []],
  ['keeps what was known', waiting, observe('confirming', { rate: null }), [moved('waiting', 'confirming')]],
  ['skips statuses', waiting, observe('finished'), [moved('waiting', 'finished')]],
  ['is not moved backwards', [...waiting, FINISHED], observe('waiting'), [anomaly('finished', 'waiting')]],
  ['is not moved where nobody knows', waiting, observe('swapping'), [anomaly('waiting', 'swapping')]],
  [
    'is not resolved by the partner',
    [...waiting, FAILED],
    observe('resolved'),
    [anomaly('failed', 'resolved')],
  ],
  ['has an anomaly once', [...waiting, anomaly('waiting', 'new')], observe('new'), []],
  [
    'has another anomaly',
    [...waiting, anomaly('waiting', 'new')],
    observe('swapping'),
    [anomaly('waiting', 'swapping')],
  ],
  [
    'has the anomaly again at another status',
    [...waiting, anomaly('waiting', 'new'), moved('waiting', 'sending')],
    observe('new'),
    [anomaly('sending', 'new')],
  ],
  ['is not changed by another order', waiting, observe('finished', { id: 'p2' }), []],
  ['is not observed before it is placed', lost, observe('finished'), []],

  ['does not expire early', waiting, command({ type: 'passExpiry' }, 3_599), []],
  [
    'expires by our clock',
    waiting,
    command({ type: 'passExpiry' }, 3_600),
    [{ type: 'ExchangeOrderExpiryPassed', data: { orderId, at: at(3_600), expiresAt: EXPIRES } }],
  ],
  ['does not expire once it is paid', [...waiting, FINISHED], command({ type: 'passExpiry' }, 3_600), []],
  ['does not expire before it is placed', lost, command({ type: 'passExpiry' }, 9_999), []],

  ['is removed a week after its time was over', waiting, remove(LATE), [removed(LATE)]],
  ['is not removed while it may be paid late', waiting, remove(LATE - 1), []],
  ['is not removed once a payment was seen', [...waiting, FAILED], remove(LATE), []],
  [
    'is not removed once a payment was seen, whatever the partner says later',
    [...waiting, FAILED, moved('failed', 'overdue', {}, 4)],
    remove(LATE),
    [],
  ],
  ['is not removed on its way to the partner', lost, remove(LATE), []],
  [
    'is removed that its user has closed',
    [...waiting, resolved('waiting', 4)],
    remove(LATE),
    [removed(LATE)],
  ],
  ['is removed that was rejected', [requested, started(1), rejected], remove(9), [removed(9)]],
  ['is removed that was abandoned', [...lost, abandoned('ambiguous', 90)], remove(99), [removed(99)]],
  ['is removed once', [...waiting, removed(LATE)], remove(LATE), []],
  ['is requested again after it was removed', [...waiting, removed(LATE)], request(), [requested]],

  ['is resolved', [...waiting, FAILED], resolve(), [resolved('failed', 9)]],
  [
    'is resolved by an operator',
    [...waiting, FAILED],
    command({ type: 'resolve', by: 'operator' }),
    [resolvedBy('operator', 'failed', 9)],
  ],
  ...(['new', 'hold', 'failed', 'confirming'] as const).map((status): Case => [
    `is not resolved from elsewhere when it is ${status}`,
    status === 'new' ? [requested, started(1), created] : [...waiting, moved('waiting', status, {}, 3)],
    resolve(9, 'another'),
    'exchange_order_not_resolvable',
  ]),
  ...(['expired', 'overdue', 'refunded'] as const).map((status): Case => [
    `is resolved from elsewhere when it is ${status}`,
    [...waiting, moved('waiting', status, {}, 3)],
    resolve(9, 'another'),
    [resolved(status, 9)],
  ]),
  ['is resolved once', [...waiting, FAILED, resolved('failed', 4)], resolve(), []],
  ['is resolved while it waits for its payment', waiting, resolve(), [resolved('waiting', 9)]],
  [
    'is not resolved while it is exchanged',
    [...waiting, moved('waiting', 'exchanging', {}, 3)],
    resolve(),
    'exchange_order_not_resolvable',
  ],
  [
    'is shown again when it is paid after it was resolved',
    [...waiting, resolved('waiting', 4)],
    observe('confirming'),
    [moved('waiting', 'confirming', {}, 9)],
  ],
  [
    'stays resolved when nobody has paid it in time',
    [...waiting, resolved('waiting', 4)],
    observe('overdue'),
    [moved('waiting', 'overdue', {}, 9, 'resolved')],
  ],
  ['is not resolved when it has', [...waiting, FINISHED], resolve(), 'exchange_order_not_resolvable'],
  ['is not resolved before it is placed', lost, resolve(), 'exchange_order_not_resolvable'],
  [
    'stays resolved while support works on it',
    [...waiting, FAILED, resolved('failed', 4)],
    observe('hold'),
    [moved('failed', 'hold', {}, 9, 'resolved')],
  ],
  [
    'is shown as refunded also after it was resolved',
    [...waiting, FAILED, resolved('failed', 4)],
    observe('refunded'),
    [moved('failed', 'refunded')],
  ],

  ['earns a commission', [...waiting, FINISHED], earn, [earned]],
  ['earns it once', [...waiting, FINISHED, earned], earn, []],
  ['earns nothing unfinished', waiting, earn, 'exchange_order_not_finished'],
];

it.each(cases)('an order %s', (_what, events, given, expected) => {
  const decision = decide(stateAfter(events), given);
  expect(isRefusal(decision) ? decision.code : decision).toEqual(expected);
});

it('records only so many anomalies of one status', () => {
  let events: ExchangeOrderEvent[] = [...waiting];
  for (let n = 0; n < 50; n++) {
    const decision = decide(stateAfter(events), observe(`unheard of ${n}`));
    events = [...events, ...(decision as ExchangeOrderEvent[])];
  }
  expect(events.length - waiting.length).toBe(8);
});

it('shows what it is from what has happened', () => {
  const paid = moved('waiting', 'hold', { payinHash: HASH }, 5);
  expect(stateAfter([...waiting, paid, resolved('hold', 6)])).toEqual({
    ...REQUEST,
    createdAt: at(0),
    updatedAt: at(6),
    placing: { step: 'placed' },
    firstCallAt: at(0),
    lostAnswers: 0,
    placed: expect.objectContaining({ partnerOrderId: 'p1', expiresAt: EXPIRES }) as unknown,
    status: 'resolved',
    partnerStatus: 'hold',
    statusSince: at(5),
    progress: { ...PROGRESS, payinHash: HASH },
    isPaid: true,
    isExpiryPassed: false,
    isCommissionEarned: false,
    anomalies: [],
  });
});
