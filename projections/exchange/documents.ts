import type {
  ExchangeOrderEvent,
  ExchangeOrderStatus,
  ExchangeProgress,
} from '../../contracts/events/exchange-order';
import type { CollectionSpec, Document } from '../../contracts/ports/documents';

/** What the partner said of an order when it was made. */
type Placed = Omit<
  Extract<ExchangeOrderEvent, { type: 'ExchangeOrderCreated' }>['data'],
  'orderId' | 'at' | 'progress'
>;

/** What became of a request: only an order that is `placed` exists at the partner as far as wallets are concerned. */
export const EXCHANGE_ORDER_OUTCOMES = ['requested', 'unknown', 'placed', 'rejected', 'abandoned'] as const;
export type ExchangeOrderOutcome = (typeof EXCHANGE_ORDER_OUTCOMES)[number];

/** An order by its id. */
export type ExchangeOrderDocument = Document & {
  /** The key of the wallet's account. */
  readonly wallet: string;
  /** Where it was asked for, a pseudonym of the day; null where that was not recorded. */
  readonly source: string | null;
  /** On which it was asked for, in UTC: `2026-03-01`. */
  readonly day: string;
  /** Whether a payment was seen: strangers can make any number of orders, and pay for none. */
  readonly isPaid: boolean;
  /** Position of its first event: orders are listed by it, so that pages stay the same while orders change. */
  readonly number: number;
  readonly partner: string;
  readonly sandbox: boolean;
  readonly fromCurrency: string;
  readonly toCurrency: string;
  /** The blockchain of `fromCurrency`. */
  readonly network: string;
  readonly amountRequested: string;
  readonly outcome: ExchangeOrderOutcome;
  /** Why it was rejected or abandoned. */
  readonly reason: string | null;
  /** As shown: `resolved` once the user has closed it. */
  readonly status: ExchangeOrderStatus;
  readonly partnerStatus: ExchangeOrderStatus;
  /** See `listedUntil`. */
  readonly listedUntil: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Null until it is placed. */
  readonly placed: Placed | null;
  readonly progress: ExchangeProgress;
};

/** Something that was observed of an order. The id is that of the order, `/`, and the revision of the event with 8 digits. */
export type ExchangeOrderStateDocument = Document & {
  readonly orderId: string;
  readonly at: string;
  readonly kind:
    'placed' | 'adopted' | 'status' | 'anomaly' | 'payin' | 'payout' | 'expiry_passed' | 'resolved';
  /** Shown from then on; null where nothing is known to have changed. */
  readonly status: ExchangeOrderStatus | null;
  /** The partner's, as it spelt it, where another one is shown. */
  readonly observed: string | null;
  /** Of a payment. */
  readonly hash: string | null;
  /** Of a resolution. */
  readonly by: 'wallet' | 'operator' | null;
};

export type PlacedOrder = ExchangeOrderDocument & { readonly placed: Placed };

/** Whether the partner has made it. */
export function isPlaced(order: ExchangeOrderDocument): order is PlacedOrder {
  return order.placed !== null;
}

/** The day of an order, in UTC. @param at RFC 3339 UTC instant */
export function dayOf(at: string): string {
  return at.slice(0, 10);
}

export const EXCHANGE_ORDERS: CollectionSpec = {
  name: 'exchange_orders',
  indexes: [
    {
      fields: [
        ['wallet', 'asc'],
        ['outcome', 'asc'],
        ['status', 'asc'],
        ['listedUntil', 'asc'],
      ],
    },
    {
      fields: [
        ['wallet', 'asc'],
        ['outcome', 'asc'],
        ['source', 'asc'],
        ['number', 'desc'],
      ],
    },
    {
      fields: [
        ['wallet', 'asc'],
        ['outcome', 'asc'],
        ['number', 'desc'],
      ],
    },
    {
      fields: [
        ['wallet', 'asc'],
        ['outcome', 'asc'],
        ['status', 'asc'],
        ['number', 'desc'],
      ],
    },
    {
      fields: [
        ['outcome', 'asc'],
        ['number', 'desc'],
      ],
    },
    {
      fields: [
        ['outcome', 'asc'],
        ['status', 'asc'],
        ['number', 'desc'],
      ],
    },
  ],
  counts: [
    ['day', 'isPaid'],
    ['source', 'isPaid'],
    ['wallet', 'source', 'isPaid'],
  ],
};

export const EXCHANGE_ORDER_STATES: CollectionSpec = {
  name: 'exchange_order_states',
  indexes: [
    {
      fields: [
        ['orderId', 'asc'],
        ['_id', 'asc'],
      ],
    },
  ],
};
