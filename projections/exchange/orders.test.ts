import { history } from '../../test/contracts/builders';
import { given } from '../../test/contracts/projection';
import { exchangeOrdersProjection } from './orders';

const ADDRESS = `0:${'07'.repeat(32)}`;
const at = (second: number): string => new Date(Date.UTC(2026, 2, 1, 12, 0, second)).toISOString();

const request = {
  wallet: { chain: 'ton', network: 'mainnet', address: ADDRESS },
  requestHash: 'ab'.repeat(32),
  partner: 'changelly',
  sandbox: true,
  fromCurrency: 'btc',
  toCurrency: 'ton',
  network: 'bitcoin',
  amountFrom: '0.01',
  payoutAddress: 'UQ-payout',
  refundAddress: null,
};
const placed = {
  partnerOrderId: 'p1',
  partnerCreatedAt: at(1),
  payinAddress: 'bc1-payin',
  payinExtraId: null,
  payoutAddress: 'UQ-payout',
  refundAddress: null,
  amountExpectedFrom: '0.01',
  amountExpectedTo: '300',
  expiresAt: at(3_600),
  trackUrl: null,
};
const unknown = {
  amountFrom: null,
  amountTo: null,
  networkFee: null,
  rate: null,
  payinHash: null,
  payoutHash: null,
  refundHash: null,
  changellyFee: null,
  apiExtraFee: null,
  totalFee: null,
};
const answer = { ...placed, progress: { ...unknown, networkFee: '0.1', rate: '30000' } };
const event = (orderId: string, second: number, type: string, data: object = {}) =>
  [`exchangeOrder-${orderId}`, { type, data: { orderId, at: at(second), ...data } }] as const;
const requested = (orderId: string) => event(orderId, 0, 'ExchangeOrderRequested', request);
const started = (orderId: string) => event(orderId, 0, 'ExchangePartnerCallStarted', { attempt: 1 });

const moved = (from: string, to: string, shown = to) => ({ from, to, shown });

const document = (orderId: string, number: number, more: object) => {
  const { wallet: _wallet, requestHash: _hash, amountFrom, ...rest } = request;
  const { payoutAddress: _payout, refundAddress: _refund, ...facts } = rest;
  return {
    _id: orderId,
    wallet: `ton:mainnet:${ADDRESS}`,
    source: null,
    day: '2026-03-01',
    isPaid: false,
    number,
    ...facts,
    amountRequested: amountFrom,
    outcome: 'requested',
    reason: null,
    status: 'new',
    partnerStatus: 'new',
    listedUntil: '9999-12-31T23:59:59.999Z',
    createdAt: at(0),
    updatedAt: at(0),
    placed: null,
    progress: unknown,
    ...more,
  };
};
const state = (orderId: string, revision: number, second: number, more: object) => ({
  _id: `${orderId}/${String(revision).padStart(8, '0')}`,
  orderId,
  at: at(second),
  status: null,
  observed: null,
  hash: null,
  by: null,
  ...more,
});

it('has orders with what became of them, and each of their states', () =>
  given(
    exchangeOrdersProjection,
    history(
      requested('a'),
      started('a'),
      event('a', 1, 'ExchangeOrderCreated', answer),
      event('a', 2, 'ExchangePayinSeen', { hash: 'in', amount: '0.011' }),
      event('a', 2, 'ExchangeOrderStatusObserved', {
        from: 'new',
        to: 'sending',
        shown: 'sending',
        progress: { ...unknown, amountTo: '299', networkFee: '0.2', payinHash: 'in' },
      }),
      event('a', 3, 'ExchangeOrderAnomalyObserved', { from: 'sending', observed: 'waiting' }),
      event('a', 4, 'ExchangePayoutSent', { hash: 'out', amount: '298' }),
      event('a', 5, 'ExchangeOrderStatusObserved', { ...moved('sending', 'finished'), progress: unknown }),
      event('a', 6, 'ExchangeCommissionEarned', {
        partner: 'changelly',
        commission: '1',
        currency: 'ton',
        feeAmount: '5.00',
        grossAmount: '900.00',
      }),
    ),
  ).then({
    exchange_orders: [
      document('a', 0, {
        outcome: 'placed',
        status: 'finished',
        partnerStatus: 'finished',
        isPaid: true,
        listedUntil: at(5 + 24 * 3_600),
        updatedAt: at(5),
        placed,
        progress: {
          ...unknown,
          amountFrom: '0.011',
          amountTo: '298',
          networkFee: '0.2',
          rate: '30000',
          payinHash: 'in',
          payoutHash: 'out',
        },
      }),
    ],
    exchange_order_states: [
      state('a', 2, 1, { kind: 'placed', status: 'new' }),
      state('a', 3, 2, { kind: 'payin', hash: 'in' }),
      state('a', 4, 2, { kind: 'status', status: 'sending' }),
      state('a', 5, 3, { kind: 'anomaly', observed: 'waiting' }),
      state('a', 6, 4, { kind: 'payout', hash: 'out' }),
      state('a', 7, 5, { kind: 'status', status: 'finished' }),
    ],
  }));

it('has what was not placed, was adopted, or was closed by its user', () =>
  given(
    exchangeOrdersProjection,
    history(
      requested('adopted'),
      requested('abandoned'),
      requested('rejected'),
      requested('unknown'),
      event('adopted', 1, 'ExchangeOrderOutcomeUnknown', { attempt: 1 }),
      event('unknown', 1, 'ExchangeOrderOutcomeUnknown', { attempt: 1 }),
      event('abandoned', 2, 'ExchangeOrderAbandoned', { reason: 'ambiguous' }),
      event('rejected', 2, 'ExchangeOrderRejected', { reason: 'amount_too_low', message: 'minimal' }),
      event('adopted', 3, 'ExchangeOrderAdopted', answer),
      event('adopted', 4, 'ExchangeOrderExpiryPassed', { expiresAt: at(3) }),
      event('adopted', 5, 'ExchangeOrderStatusObserved', { ...moved('new', 'overdue'), progress: unknown }),
      event('adopted', 6, 'ExchangeOrderResolved', {
        from: 'overdue',
        by: 'wallet',
        resolution: 'dismissed',
      }),
      event('adopted', 7, 'ExchangeOrderStatusObserved', {
        ...moved('overdue', 'confirming', 'resolved'),
        progress: unknown,
      }),
      event('adopted', 8, 'ExchangeOrderProgressObserved', { progress: { ...unknown, totalFee: '2' } }),
    ),
  ).then({
    exchange_orders: [
      document('abandoned', 1, { outcome: 'abandoned', reason: 'ambiguous', updatedAt: at(2) }),
      document('adopted', 0, {
        outcome: 'placed',
        status: 'resolved',
        partnerStatus: 'confirming',
        isPaid: true,
        listedUntil: at(7),
        updatedAt: at(8),
        placed,
        progress: { ...unknown, networkFee: '0.1', rate: '30000', totalFee: '2' },
      }),
      document('rejected', 2, { outcome: 'rejected', reason: 'amount_too_low', updatedAt: at(2) }),
      document('unknown', 3, { outcome: 'unknown', updatedAt: at(1) }),
    ],
    exchange_order_states: [
      state('adopted', 2, 3, { kind: 'adopted', status: 'new' }),
      state('adopted', 3, 4, { kind: 'expiry_passed' }),
      state('adopted', 4, 5, { kind: 'status', status: 'overdue' }),
      state('adopted', 5, 6, { kind: 'resolved', status: 'resolved', by: 'wallet' }),
      state('adopted', 6, 7, { kind: 'status', status: 'resolved', observed: 'confirming' }),
    ],
  }));

it('has nothing of one that was removed, and one that is asked for again after it', () =>
  given(
    exchangeOrdersProjection,
    history(
      requested('a'),
      event('a', 1, 'ExchangeOrderCreated', answer),
      event('a', 4, 'ExchangeOrderExpiryPassed', { expiresAt: at(3) }),
      event('a', 9, 'ExchangeOrderRemoved'),
      requested('b'),
      event('b', 1, 'ExchangeOrderCreated', answer),
      event('b', 9, 'ExchangeOrderRemoved'),
      requested('b'),
    ),
  ).then({ exchange_orders: [document('b', 7, {})], exchange_order_states: [] }));
