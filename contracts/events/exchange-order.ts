import { v5 } from 'uuid';
import { z } from 'zod';
import { accountKey, accountRef, type AccountRef } from '../network/network';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of exchange orders, one stream per order. */
export const EXCHANGE_ORDER_CATEGORY = 'exchangeOrder';

export function exchangeOrderStream(orderId: string): string {
  return `${EXCHANGE_ORDER_CATEGORY}-${orderId}`;
}

const NAMESPACE = '7d2b4f64-5a1e-5c0b-8f3e-2a90c1b7d6e4';

/** The same wallet and key are the same order: a UUIDv5. @param idempotencyKey chosen by the wallet, for one tap of its user */
export function exchangeOrderId(wallet: AccountRef, idempotencyKey: string): string {
  return v5(`${accountKey(wallet)}/${idempotencyKey}`, NAMESPACE);
}

/** As above, where the key belongs to an order of another caller: then the terms tell orders apart. @param requestHash of them */
export function exchangeOrderIdOfTerms(
  wallet: AccountRef,
  idempotencyKey: string,
  requestHash: string,
): string {
  // No key has a space.
  return v5(`${accountKey(wallet)}/${idempotencyKey} ${requestHash}`, NAMESPACE);
}

/** Those of the partner, and `resolved`, which is ours: the user has closed an order that came to nothing. */
export const EXCHANGE_ORDER_STATUSES = [
  'new',
  'waiting',
  'confirming',
  'exchanging',
  'sending',
  'finished',
  'failed',
  'refunded',
  'hold',
  'expired',
  'overdue',
  'resolved',
] as const;
export type ExchangeOrderStatus = (typeof EXCHANGE_ORDER_STATUSES)[number];

/** In which no payment was seen. */
export const UNPAID_ORDER_STATUSES = ['new', 'waiting', 'overdue', 'expired'] as const;

/** Whether the partner has seen a payment; a user may have closed a `resolved` order without one. */
export function isPaidStatus(status: ExchangeOrderStatus): boolean {
  return status !== 'resolved' && !UNPAID_ORDER_STATUSES.some(unpaid => unpaid === status);
}

/** RFC 3339 UTC instant with milliseconds. */
const instant = z.iso.datetime();
/** A decimal string in whole units of its currency. */
const amount = z.string();

const order = { orderId: z.string(), at: instant };

/** What the partner says of an order by and by; null until it is known. */
const progress = z.object({
  amountFrom: amount.nullable(),
  amountTo: amount.nullable(),
  networkFee: amount.nullable(),
  rate: amount.nullable(),
  payinHash: z.string().nullable(),
  payoutHash: z.string().nullable(),
  refundHash: z.string().nullable(),
  changellyFee: amount.nullable(),
  apiExtraFee: amount.nullable(),
  totalFee: amount.nullable(),
});
export type ExchangeProgress = z.output<typeof progress>;

/** Of an order of which nothing is known yet. */
export const NO_PROGRESS: ExchangeProgress = {
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

/** What the partner says of an order when it is made. */
const placed = z.object({
  ...order,
  partnerOrderId: z.string(),
  /** On the partner's clock. */
  partnerCreatedAt: instant,
  payinAddress: z.string(),
  /** Memo or tag that the payment must carry. */
  payinExtraId: z.string().nullable(),
  payoutAddress: z.string(),
  refundAddress: z.string().nullable(),
  amountExpectedFrom: amount,
  amountExpectedTo: amount,
  /** Until when the payment is awaited. */
  expiresAt: instant,
  trackUrl: z.string().nullable(),
  progress,
});

/** Why the partner refuses an order. */
const EXCHANGE_REFUSALS = [
  'amount_too_low',
  'amount_too_high',
  'currency_unavailable',
  'address_invalid',
  'other',
] as const;
export type ExchangeRefusal = (typeof EXCHANGE_REFUSALS)[number];

// These types are the storage format.
/** Durable before anything is asked of the partner. */
const requested = eventType({
  name: 'ExchangeOrderRequested',
  version: 2,
  upcasts: { 1: data => ({ ...data, source: null }) },
  schema: z.object({
    ...order,
    /** That the order is for: anybody may ask for one. */
    wallet: accountRef,
    /** Where the request came from, a pseudonym of the day; null where that was not recorded. */
    source: z.string().nullable(),
    /** SHA-256 of the request, hex: the same key with another request is refused. */
    requestHash: z.string(),
    partner: z.string(),
    /** The partner is a double: nothing may be paid. */
    sandbox: z.boolean(),
    /** Tickers as wallets spell them. */
    fromCurrency: z.string(),
    toCurrency: z.string(),
    /** The blockchain of `fromCurrency`. */
    network: z.string(),
    amountFrom: amount,
    payoutAddress: z.string(),
    /** Where the partner returns what it cannot exchange, in `fromCurrency`. */
    refundAddress: z.string().nullable(),
  }),
});
/** The partner is about to be asked for the order: from here on it may have one. */
const callStarted = eventType({
  name: 'ExchangePartnerCallStarted',
  schema: z.object({ ...order, /** From 1. */ attempt: z.int() }),
});
/** Nothing has happened at the partner: the call may be repeated. */
const callFailed = eventType({
  name: 'ExchangePartnerCallFailed',
  schema: z.object({
    ...order,
    attempt: z.int(),
    /** Not before this the call is repeated. */
    retryAt: instant,
    message: z.string(),
  }),
});
const created = eventType({ name: 'ExchangeOrderCreated', schema: placed });
const rejected = eventType({
  name: 'ExchangeOrderRejected',
  schema: z.object({
    ...order,
    reason: z.enum(EXCHANGE_REFUSALS),
    /** Of the partner. */
    message: z.string(),
  }),
});
/** The partner did not answer: it may have the order, or not. */
const outcomeUnknown = eventType({
  name: 'ExchangeOrderOutcomeUnknown',
  schema: z.object({ ...order, attempt: z.int() }),
});
/** The order was found at the partner, after its answer was lost. */
const adopted = eventType({ name: 'ExchangeOrderAdopted', schema: placed });
/** Given up: the partner has no such order, or several. Nobody has seen a pay-in address. */
const abandoned = eventType({
  name: 'ExchangeOrderAbandoned',
  schema: z.object({ ...order, reason: z.enum(['not_found', 'ambiguous', 'partner_unavailable']) }),
});
/** The partner has moved the order. */
const statusObserved = eventType({
  name: 'ExchangeOrderStatusObserved',
  schema: z.object({
    ...order,
    /** Of the partner, before and now. */
    from: z.enum(EXCHANGE_ORDER_STATUSES),
    to: z.enum(EXCHANGE_ORDER_STATUSES),
    /** What is shown from now on: `to`, unless the order was resolved. */
    shown: z.enum(EXCHANGE_ORDER_STATUSES),
    progress,
  }),
});
/** Something was unknown of the order before, and its status has not changed. */
const progressObserved = eventType({
  name: 'ExchangeOrderProgressObserved',
  schema: z.object({ ...order, progress }),
});
const payinSeen = eventType({
  name: 'ExchangePayinSeen',
  schema: z.object({ ...order, hash: z.string(), amount: amount.nullable() }),
});
const payoutSent = eventType({
  name: 'ExchangePayoutSent',
  schema: z.object({ ...order, hash: z.string(), amount: amount.nullable() }),
});
/** By our clock; the partner decides whether it accepts a late payment. */
const expiryPassed = eventType({
  name: 'ExchangeOrderExpiryPassed',
  schema: z.object({ ...order, expiresAt: instant }),
});
const resolved = eventType({
  name: 'ExchangeOrderResolved',
  schema: z.object({
    ...order,
    from: z.enum(EXCHANGE_ORDER_STATUSES),
    by: z.enum(['wallet', 'operator']),
    resolution: z.literal('dismissed'),
  }),
});
/** The partner said what cannot follow: recorded, and never applied. */
const anomalyObserved = eventType({
  name: 'ExchangeOrderAnomalyObserved',
  schema: z.object({
    ...order,
    /** Of the partner, before. */
    from: z.enum(EXCHANGE_ORDER_STATUSES),
    /** As the partner spelt it. */
    observed: z.string(),
  }),
});
/** What the instance has earned with a finished order. */
const commissionEarned = eventType({
  name: 'ExchangeCommissionEarned',
  schema: z.object({
    ...order,
    partner: z.string(),
    /** In `currency`. */
    commission: amount,
    currency: z.string(),
    /** In the instance's currency: of the commission, and of the whole payout. */
    feeAmount: amount,
    grossAmount: amount,
  }),
});
/** Nobody has paid the order, and its time was over long ago: nothing is known of it any more. */
const removed = eventType({ name: 'ExchangeOrderRemoved', schema: z.object(order) });

export const exchangeOrderEvents = eventFamily(
  requested,
  callStarted,
  callFailed,
  created,
  rejected,
  outcomeUnknown,
  adopted,
  abandoned,
  statusObserved,
  progressObserved,
  payinSeen,
  payoutSent,
  expiryPassed,
  resolved,
  anomalyObserved,
  commissionEarned,
  removed,
);
export type ExchangeOrderEvent = EventOf<
  | typeof requested
  | typeof callStarted
  | typeof callFailed
  | typeof created
  | typeof rejected
  | typeof outcomeUnknown
  | typeof adopted
  | typeof abandoned
  | typeof statusObserved
  | typeof progressObserved
  | typeof payinSeen
  | typeof payoutSent
  | typeof expiryPassed
  | typeof resolved
  | typeof anomalyObserved
  | typeof commissionEarned
  | typeof removed
>;
