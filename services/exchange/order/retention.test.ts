import { exchangeOrdersProjection } from '../../../projections/exchange/orders';
import { payinAddressesProjection } from '../../../projections/service-addresses/payin-addresses';
import { describeRetention } from '../../../test/contracts/retention';
import { EXCHANGE_ORDER_SAMPLES } from '../../../test/events/samples/exchange-order';
import { EXCHANGE_CLAIM_RETENTION, EXCHANGE_ORDER_RETENTION } from './retention';

/** An event as the first sample of its type says, which is of version 1. */
const of = (type: string, more: object = {}) =>
  [type, { ...EXCHANGE_ORDER_SAMPLES[type]![0]!.data, ...more }] as const;

const requested = of('ExchangeOrderRequested');
const called = of('ExchangePartnerCallStarted');
const created = of('ExchangeOrderCreated', {
  payinAddress: `0:${'ab'.repeat(32)}`,
  expiresAt: '2026-01-02T00:00:00.000Z',
});
const waiting = of('ExchangeOrderStatusObserved', { from: 'new', to: 'waiting', shown: 'waiting' });

describe('orders', () =>
  describeRetention(EXCHANGE_ORDER_RETENTION, [exchangeOrdersProjection, payinAddressesProjection], {
    goes: {
      'an order that was rejected': [requested, called, of('ExchangeOrderRejected')],
      'an order that nobody has paid': [requested, called, created, waiting, of('ExchangeOrderExpiryPassed')],
      'an order that its user has closed': [requested, called, created, of('ExchangeOrderResolved')],
    },
    stays: {
      'an order that was paid': [requested, called, created, of('ExchangePayinSeen')],
      'an order on its way to the partner': [requested, called],
      'an order that may still be paid': [
        requested,
        called,
        of('ExchangeOrderCreated', { expiresAt: '2096-01-01T00:00:00.000Z' }),
      ],
    },
  }));

describe('claims', () =>
  describeRetention(EXCHANGE_CLAIM_RETENTION, [], {
    goes: { 'whose an order of the partner is': [of('ExchangePartnerOrderClaimed')] },
  }));
