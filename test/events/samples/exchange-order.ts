import type { Samples } from '../sample';

const orderId = 'e4c5ae37-6df3-5d1c-9f5a-5a1b5c4d7e21';
const at = (second: number) => `2026-03-01T12:00:${String(second).padStart(2, '0')}.000Z`;

const wallet = { chain: 'ton', network: 'mainnet', address: `0:${'ab'.repeat(32)}` };
const requested = {
  orderId,
  at: at(0),
  wallet,
  requestHash: '5f'.repeat(32),
  partner: 'changelly',
  sandbox: false,
  fromCurrency: 'btc',
  toCurrency: 'ton',
  network: 'bitcoin',
  amountFrom: '0.1',
  payoutAddress: 'UQCrq6urq6urq6urq6urq6urq6urq6urq6urq6urq6urqwzY',
  refundAddress: null,
};
const onSolana = {
  ...requested,
  wallet: {
    chain: 'solana',
    network: 'mainnet',
    address: '4Nd1mYvNfX9sTgb6Qm2vTzVbN8rWzJ3rQ8o2mVdM1kPp',
  },
  sandbox: true,
  refundAddress: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
};
const progress = {
  amountFrom: null,
  amountTo: null,
  networkFee: '0.05',
  rate: '18200.5',
  payinHash: null,
  payoutHash: null,
  refundHash: null,
  changellyFee: '0.4',
  apiExtraFee: '0.4',
  totalFee: null,
};
const placed = {
  orderId,
  at: at(2),
  partnerOrderId: 'p1',
  partnerCreatedAt: at(1),
  payinAddress: 'bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh',
  payinExtraId: null,
  payoutAddress: requested.payoutAddress,
  refundAddress: null,
  amountExpectedFrom: '0.1',
  amountExpectedTo: '1820.05',
  expiresAt: '2026-03-03T00:00:01.000Z',
  trackUrl: 'https://changelly.com/track/p1',
  progress,
};
const paid = { ...progress, amountFrom: '0.1', payinHash: '1a'.repeat(32) };
const finished = { ...paid, amountTo: '1819.9', payoutHash: '2b'.repeat(32), totalFee: '7.28' };

export const EXCHANGE_ORDER_SAMPLES: Samples = {
  ExchangeOrderRequested: [
    { v: 1, data: requested, latest: { ...requested, source: null } },
    { v: 1, data: onSolana, latest: { ...onSolana, source: null } },
    { v: 2, data: { ...requested, source: '0f1e2d3c4b5a6978' } },
    { v: 2, data: { ...onSolana, source: null } },
  ],
  ExchangePartnerCallStarted: [{ v: 1, data: { orderId, at: at(1), attempt: 1 } }],
  ExchangePartnerCallFailed: [
    { v: 1, data: { orderId, at: at(2), attempt: 1, retryAt: at(4), message: 'not reached' } },
  ],
  ExchangeOrderCreated: [
    { v: 1, data: placed },
    { v: 1, data: { ...placed, payinExtraId: '77', refundAddress: 'refund', trackUrl: null } },
  ],
  ExchangeOrderRejected: [
    { v: 1, data: { orderId, at: at(2), reason: 'amount_too_low', message: 'Minimal amount is 0.2 btc' } },
    { v: 1, data: { orderId, at: at(2), reason: 'other', message: 'no' } },
  ],
  ExchangeOrderOutcomeUnknown: [{ v: 1, data: { orderId, at: at(20), attempt: 1 } }],
  ExchangeOrderAdopted: [{ v: 1, data: { ...placed, at: at(30) } }],
  ExchangeOrderAbandoned: [
    { v: 1, data: { orderId, at: at(59), reason: 'not_found' } },
    { v: 1, data: { orderId, at: at(59), reason: 'ambiguous' } },
    { v: 1, data: { orderId, at: at(59), reason: 'partner_unavailable' } },
  ],
  ExchangeOrderStatusObserved: [
    {
      v: 1,
      data: { orderId, at: at(40), from: 'new', to: 'confirming', shown: 'confirming', progress: paid },
    },
    { v: 1, data: { orderId, at: at(50), from: 'failed', to: 'hold', shown: 'resolved', progress: paid } },
  ],
  ExchangeOrderProgressObserved: [{ v: 1, data: { orderId, at: at(51), progress: finished } }],
  ExchangePayinSeen: [
    { v: 1, data: { orderId, at: at(40), hash: paid.payinHash, amount: '0.1' } },
    { v: 1, data: { orderId, at: at(40), hash: paid.payinHash, amount: null } },
  ],
  ExchangePayoutSent: [{ v: 1, data: { orderId, at: at(51), hash: finished.payoutHash, amount: '1819.9' } }],
  ExchangeOrderExpiryPassed: [
    { v: 1, data: { orderId, at: '2026-03-03T00:00:02.000Z', expiresAt: placed.expiresAt } },
  ],
  ExchangeOrderResolved: [
    { v: 1, data: { orderId, at: at(58), from: 'failed', by: 'wallet', resolution: 'dismissed' } },
    { v: 1, data: { orderId, at: at(58), from: 'hold', by: 'operator', resolution: 'dismissed' } },
  ],
  ExchangeOrderAnomalyObserved: [
    { v: 1, data: { orderId, at: at(52), from: 'sending', observed: 'waiting' } },
  ],
  ExchangeCommissionEarned: [
    {
      v: 1,
      data: {
        orderId,
        at: at(55),
        partner: 'changelly',
        commission: '7.28',
        currency: 'ton',
        feeAmount: '21.84',
        grossAmount: '5459.70',
      },
    },
  ],
  ExchangeOrderRemoved: [{ v: 1, data: { orderId, at: '2026-06-01T00:00:00.000Z' } }],
  ExchangePartnerOrderClaimed: [
    { v: 1, data: { partner: 'changelly', partnerOrderId: 'p1', orderId, at: at(2) } },
  ],
};
