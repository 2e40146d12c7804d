import type { ExchangeOrderEvent, ExchangeProgress } from '../../contracts/events/exchange-order';
import type { PartnerOrder } from '../../contracts/ports/exchange-partner';

const START = Date.parse('2026-03-01T12:00:00.000Z');

/** RFC 3339 UTC instant. @param seconds since the order was requested */
export function at(seconds: number): string {
  return new Date(START + seconds * 1_000).toISOString();
}

export function metadata(seconds: number) {
  return { now: at(seconds), actor: 'test' };
}

export const ORDER_ID = 'e4c5ae37-6df3-5d1c-9f5a-5a1b5c4d7e21';

export const REQUEST = {
  orderId: ORDER_ID,
  wallet: { chain: 'ton', network: 'mainnet', address: `0:${'ab'.repeat(32)}` },
  source: '0f1e2d3c4b5a6978',
  requestHash: '5f'.repeat(32),
  partner: 'changelly',
  sandbox: false,
  fromCurrency: 'btc',
  toCurrency: 'ton',
  network: 'bitcoin',
  amountFrom: '0.1',
  payoutAddress: 'payout',
  refundAddress: null,
} as const;

/** Of a command that asks for an order. */
export const NONE_UNPAID = { unpaid: { forWallet: 0, fromSource: 0, ofAll: 0 }, maxUnpaid: 0 } as const;

export const requested: ExchangeOrderEvent = {
  type: 'ExchangeOrderRequested',
  data: { ...REQUEST, at: at(0) },
};

export const PROGRESS: ExchangeProgress = {
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

/** The order as the partner shows it. */
export function partnerOrder(more: Partial<PartnerOrder> = {}): PartnerOrder {
  return {
    id: 'p1',
    status: 'waiting',
    createdAt: at(1),
    payTill: null,
    from: REQUEST.fromCurrency,
    to: REQUEST.toCurrency,
    payinAddress: 'payin',
    payinExtraId: null,
    payoutAddress: REQUEST.payoutAddress,
    refundAddress: REQUEST.refundAddress,
    amountExpectedFrom: REQUEST.amountFrom,
    amountExpectedTo: '1820.05',
    trackUrl: null,
    ...PROGRESS,
    ...more,
  };
}
