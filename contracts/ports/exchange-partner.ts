import type { ExchangeProgress, ExchangeRefusal } from '../events/exchange-order';

/** Tickers are those of wallets; the adapter maps them to the partner's. */
export interface ExchangePair {
  readonly from: string;
  readonly to: string;
}

export interface PartnerCurrency {
  readonly ticker: string;
  readonly name: string;
  readonly fullName: string;
  readonly image: string;
  readonly enabled: boolean;
  /** Digits after the point that its amounts may have. */
  readonly decimals: number;
  readonly blockchain: string | null;
  readonly network: string | null;
  readonly contractAddress: string | null;
  /** What a memo or tag of its payments is called; null where there is none. */
  readonly extraIdName: string | null;
}

/** Amounts are decimal strings in whole units of their currency. */
export interface PartnerLimits {
  readonly minFrom: string;
  /** Null where there is no maximum. */
  readonly maxFrom: string | null;
  readonly minTo: string | null;
  readonly maxTo: string | null;
}

export interface PartnerEstimate extends Readonly<Record<keyof PartnerLimits, string>> {
  readonly from: string;
  readonly to: string;
  readonly amountFrom: string;
  /** Less the partner's commissions, before `networkFee`. */
  readonly amountTo: string;
  /** In `to`. */
  readonly networkFee: string;
  readonly rate: string;
  /** Commission in `to`. */
  readonly fee: string;
  readonly visibleAmount: string;
}

export interface NewPartnerOrder extends ExchangePair {
  readonly amountFrom: string;
  readonly payoutAddress: string;
  readonly refundAddress: string | null;
}

/** How far an order is at the partner. */
export interface PartnerOrderState extends ExchangeProgress {
  readonly id: string;
  /** As the partner spells it: it may be one that we don't know. */
  readonly status: string;
}

/** An order as the partner shows it. */
export interface PartnerOrder extends ExchangePair, PartnerOrderState {
  /** RFC 3339 UTC instant with milliseconds, on the partner's clock. */
  readonly createdAt: string;
  /** Until when a fixed rate holds; null for floating ones. */
  readonly payTill: string | null;
  readonly payinAddress: string;
  readonly payinExtraId: string | null;
  readonly payoutAddress: string;
  readonly refundAddress: string | null;
  readonly amountExpectedFrom: string;
  readonly amountExpectedTo: string;
  readonly trackUrl: string | null;
}

/**
 * The budget of requests serves people first, whose estimates and orders take turns, then what they have refreshed before its
 * time (`refresh`), with at most half of the budget; what refreshes by itself (`background`) gets what these leave, and a little in
 * any case.
 */
export const PARTNER_PRIORITIES = ['estimate', 'order', 'refresh', 'background'] as const;
export type PartnerPriority = (typeof PARTNER_PRIORITIES)[number];

export interface PartnerCall {
  readonly priority: PartnerPriority;
  /** Who has asked for it: callers of one priority take turns. Default: nobody, it is the program's own. */
  readonly caller?: string | undefined;
  readonly signal: AbortSignal;
}

/** Orders that one read may name. */
export const MAX_ORDERS_READ = 10;

/**
 * The service that exchanges currencies. Every call is limited by the partner's budget of requests.
 * @throws PartnerRefused, PartnerUnavailable
 */
export interface ExchangePartner {
  /** The merchant of its commissions. */
  readonly id: string;
  /** A double: its orders must not be paid. */
  readonly sandbox: boolean;
  currencies(call: PartnerCall): Promise<readonly PartnerCurrency[]>;
  /** What can be exchanged for a currency, by ticker. */
  sourcesOf(to: string, call: PartnerCall): Promise<readonly string[]>;
  /** @throws PartnerRefused with limits when the amount is beyond them */
  estimate(pair: ExchangePair, amountFrom: string, call: PartnerCall): Promise<PartnerEstimate>;
  /** Never repeated by the adapter: each call may make an order. @throws PartnerOutcomeUnknown */
  createOrder(order: NewPartnerOrder, call: PartnerCall): Promise<PartnerOrder>;
  /** Those that the partner knows. @param ids at most `MAX_ORDERS_READ` */
  orders(ids: readonly string[], call: PartnerCall): Promise<readonly PartnerOrderState[]>;
  /** Orders that pay an address, made since an instant; all of them, in pages. @param since milliseconds since the epoch */
  ordersTo(payoutAddress: string, since: number, call: PartnerCall): Promise<readonly PartnerOrder[]>;
}

/** The partner understood, and said no. */
export class PartnerRefused extends Error {
  override readonly name = 'PartnerRefused';
  constructor(
    readonly reason: ExchangeRefusal,
    message: string,
    readonly limits: PartnerLimits | null = null,
  ) {
    super(message);
  }
}

/** Nothing has happened: the partner was not reached, is overloaded, or answered nonsense to a read. Worth a retry. */
export class PartnerUnavailable extends Error {
  override readonly name = 'PartnerUnavailable';
  constructor(
    message: string,
    readonly retryAfterMs: number | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** So many calls of ours wait for the partner already that it was not asked: strangers can have that happen, and it says nothing of it. */
export class PartnerBusy extends PartnerUnavailable {}

/** What was asked for may have happened. */
export class PartnerOutcomeUnknown extends Error {
  override readonly name = 'PartnerOutcomeUnknown';
}
