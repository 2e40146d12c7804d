import {
  EXCHANGE_ORDER_CATEGORY,
  exchangeOrderEvents,
  isPaidStatus,
  type ExchangeOrderEvent,
  type ExchangeOrderStatus,
  NO_PROGRESS,
  type ExchangeProgress,
} from '../../contracts/events/exchange-order';
import { accountKey, type AccountRef } from '../../contracts/network/network';
import type { CollectionSpec, Document, Filter } from '../../contracts/ports/documents';
import type { DocumentKey, EventProjection } from '../projection';
import type { Views } from '../views';
import { ALWAYS_LISTED, listedUntil } from './listed-until';

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

const stateId = (orderId: string, revision: number): string =>
  `${orderId}/${String(revision).padStart(8, '0')}`;

/** Orders of the exchange, and what was observed of each. */
export const exchangeOrdersProjection: EventProjection = {
  name: 'exchange-orders',
  version: 4,
  categories: [EXCHANGE_ORDER_CATEGORY],
  collections: [EXCHANGE_ORDERS, EXCHANGE_ORDER_STATES],
  touches(recorded) {
    const event = exchangeOrderEvents.read(recorded);
    const { orderId } = event.data;
    if (event.type === 'ExchangeOrderRemoved') return documentsBefore(orderId, recorded.revision);
    return [
      ...(changesOrder(event) ? [{ collection: EXCHANGE_ORDERS.name, id: orderId }] : []),
      ...(observation(event)
        ? [{ collection: EXCHANGE_ORDER_STATES.name, id: stateId(orderId, recorded.revision) }]
        : []),
    ];
  },
  fold(document, recorded, { collection, id }) {
    const event = exchangeOrderEvents.read(recorded);
    if (event.type === 'ExchangeOrderRemoved') return null;
    if (collection === EXCHANGE_ORDERS.name)
      return orderAfter(document as ExchangeOrderDocument | null, event, event.position);
    const { orderId, at } = event.data;
    return {
      _id: id,
      orderId,
      at,
      status: null,
      observed: null,
      hash: null,
      by: null,
      ...observation(event)!,
    };
  },
};

/** What events of an order before a revision may have left. One that nobody has paid has a few dozen. */
const documentsBefore = (orderId: string, revision: number): DocumentKey[] => [
  { collection: EXCHANGE_ORDERS.name, id: orderId },
  ...Array.from({ length: revision }, (_, earlier) => ({
    collection: EXCHANGE_ORDER_STATES.name,
    id: stateId(orderId, earlier),
  })),
];

type Observation = Pick<ExchangeOrderStateDocument, 'kind'> &
  Partial<Pick<ExchangeOrderStateDocument, 'status' | 'observed' | 'hash' | 'by'>>;

/** What an event has to say about the states of its order; null for those that are before it, or only ours. */
function observation({ type, data }: ExchangeOrderEvent): Observation | null {
  switch (type) {
    case 'ExchangeOrderCreated':
      return { kind: 'placed', status: 'new' };
    case 'ExchangeOrderAdopted':
      return { kind: 'adopted', status: 'new' };
    case 'ExchangeOrderStatusObserved':
      return { kind: 'status', status: data.shown, observed: data.to === data.shown ? null : data.to };
    case 'ExchangePayinSeen':
      return { kind: 'payin', hash: data.hash };
    case 'ExchangePayoutSent':
      return { kind: 'payout', hash: data.hash };
    case 'ExchangeOrderExpiryPassed':
      return { kind: 'expiry_passed' };
    case 'ExchangeOrderResolved':
      return { kind: 'resolved', status: 'resolved', by: data.by };
    case 'ExchangeOrderAnomalyObserved':
      return { kind: 'anomaly', observed: data.observed };
    default:
      return null;
  }
}

const UNTOUCHED: ReadonlySet<ExchangeOrderEvent['type']> = new Set([
  'ExchangePartnerCallStarted',
  'ExchangePartnerCallFailed',
  'ExchangeOrderExpiryPassed',
  'ExchangeOrderAnomalyObserved',
  'ExchangeCommissionEarned',
]);
const changesOrder = ({ type }: ExchangeOrderEvent): boolean => !UNTOUCHED.has(type);

function orderAfter(
  before: ExchangeOrderDocument | null,
  { type, data }: ExchangeOrderEvent,
  position: number,
): ExchangeOrderDocument | null {
  const updatedAt = data.at;
  if (type === 'ExchangeOrderRequested') {
    const { orderId, at, wallet, source, partner, sandbox } = data;
    const { fromCurrency, toCurrency, network, amountFrom } = data;
    const facts = { partner, sandbox, fromCurrency, toCurrency, network, amountRequested: amountFrom };
    return {
      _id: orderId,
      wallet: accountKey(wallet),
      source,
      day: dayOf(at),
      isPaid: false,
      number: position,
      ...facts,
      outcome: 'requested',
      reason: null,
      status: 'new',
      partnerStatus: 'new',
      listedUntil: ALWAYS_LISTED,
      createdAt: at,
      updatedAt,
      placed: null,
      progress: NO_PROGRESS,
    };
  }
  if (!before) return null; // only in a stream that was cut
  const { progress } = before;
  const after = { ...before, updatedAt };
  switch (type) {
    case 'ExchangeOrderCreated':
    case 'ExchangeOrderAdopted': {
      const { orderId: _orderId, at: _at, progress: reported, ...placed } = data;
      return { ...movedTo({ ...after, placed }, 'new', updatedAt), outcome: 'placed', progress: reported };
    }
    case 'ExchangeOrderRejected':
      return { ...after, outcome: 'rejected', reason: data.reason };
    case 'ExchangeOrderOutcomeUnknown':
      return { ...after, outcome: 'unknown' };
    case 'ExchangeOrderAbandoned':
      return { ...after, outcome: 'abandoned', reason: data.reason };
    case 'ExchangeOrderStatusObserved':
      return {
        ...movedTo(after, data.shown, updatedAt),
        partnerStatus: data.to,
        isPaid: after.isPaid || isPaidStatus(data.to),
        progress: known(progress, data.progress),
      };
    case 'ExchangeOrderProgressObserved':
      return { ...after, progress: known(progress, data.progress) };
    case 'ExchangePayinSeen':
      return {
        ...after,
        isPaid: true,
        progress: known(progress, { payinHash: data.hash, amountFrom: data.amount }),
      };
    case 'ExchangePayoutSent':
      return { ...after, progress: known(progress, { payoutHash: data.hash, amountTo: data.amount }) };
    case 'ExchangeOrderResolved':
      return movedTo(after, 'resolved', updatedAt);
    default:
      return before;
  }
}

/** In UTC. @param at RFC 3339 UTC instant */
const dayOf = (at: string): string => at.slice(0, 10);

function movedTo(
  order: ExchangeOrderDocument,
  status: ExchangeOrderStatus,
  at: string,
): ExchangeOrderDocument {
  const expiresAt = order.placed?.expiresAt ?? ALWAYS_LISTED;
  return { ...order, status, listedUntil: listedUntil(status, at, expiresAt) };
}

/** What is known already stays when a later answer leaves it out. */
function known(before: ExchangeProgress, after: Partial<ExchangeProgress>): ExchangeProgress {
  const given = Object.entries(after).filter(([, value]) => value !== null);
  return { ...before, ...Object.fromEntries(given) };
}

/** An order; null also for one that the partner has not made. */
export async function findPlacedOrder(
  views: Pick<Views, 'get'>,
  orderId: string,
): Promise<PlacedOrder | null> {
  const found = await views.get<ExchangeOrderDocument>(EXCHANGE_ORDERS.name, orderId);
  return found && isPlaced(found) ? found : null;
}

/** An order whatever became of it. */
export function findOrder(views: Pick<Views, 'get'>, orderId: string): Promise<ExchangeOrderDocument | null> {
  return views.get<ExchangeOrderDocument>(EXCHANGE_ORDERS.name, orderId);
}

export type PlacedOrder = ExchangeOrderDocument & { readonly placed: Placed };
const isPlaced = (order: ExchangeOrderDocument): order is PlacedOrder => order.placed !== null;

/**
 * Orders of wallets that the partner has made, of some statuses, that are listed at an instant.
 * @param now RFC 3339 UTC instant with milliseconds
 * @returns at most `MAX_LISTED`: a wallet that has more misses those that leave its list first
 */
export async function findListedOrders(
  views: Pick<Views, 'find'>,
  wallets: readonly AccountRef[],
  statuses: readonly ExchangeOrderStatus[],
  now: string,
): Promise<readonly PlacedOrder[]> {
  const { documents } = await views.find<ExchangeOrderDocument>(EXCHANGE_ORDERS.name, {
    filter: { ...placedFor(wallets), status: { in: statuses }, listedUntil: { gt: now } },
    order: [['listedUntil', 'desc']],
    limit: MAX_LISTED,
  });
  return documents.filter(isPlaced);
}

/** Orders of wallets that the partner has made and that one source has asked for, newest first, at most `MAX_LISTED`. */
export async function findOrdersFrom(
  views: Pick<Views, 'find'>,
  wallets: readonly AccountRef[],
  source: string,
): Promise<readonly PlacedOrder[]> {
  return (await newest(views, { ...placedFor(wallets), source }, MAX_LISTED, 0)).filter(isPlaced);
}

/** Orders of wallets that the partner has made, of one status and any age, newest first. */
export async function findOrdersIn(
  views: Pick<Views, 'find'>,
  wallets: readonly AccountRef[],
  status: ExchangeOrderStatus,
  { limit = MAX_LISTED, offset = 0 } = {},
): Promise<readonly PlacedOrder[]> {
  return (await newest(views, { ...placedFor(wallets), status }, limit, offset)).filter(isPlaced);
}

const placedFor = (wallets: readonly AccountRef[]): Filter => ({
  wallet: { in: wallets.map(accountKey) },
  outcome: 'placed',
});

const MAX_LISTED = 1_000;

/** Orders of a day that nobody has paid, whatever became of them. */
export interface UnpaidOrders {
  /** Of one source, for one wallet. */
  readonly forWallet: number;
  /** Of the source, which is one of the day. */
  readonly fromSource: number;
  /** Of all sources. */
  readonly ofAll: number;
}

/** @param now RFC 3339 UTC instant of the day */
export async function countUnpaidOrders(
  views: Pick<Views, 'count'>,
  wallet: AccountRef,
  source: string,
  now: string,
): Promise<UnpaidOrders> {
  const count = (equals: Readonly<Record<string, string>>): Promise<number> =>
    views.count(EXCHANGE_ORDERS.name, { ...equals, isPaid: false });
  const [forWallet, fromSource, ofAll] = await Promise.all([
    count({ wallet: accountKey(wallet), source }),
    count({ source }),
    count({ day: dayOf(now) }),
  ]);
  return { forWallet, fromSource, ofAll };
}

/** Orders of one outcome, of all wallets unless one is named, newest first. */
export function findOrders(
  views: Pick<Views, 'find'>,
  outcome: ExchangeOrderOutcome,
  {
    wallet,
    status,
    limit,
  }: {
    readonly wallet?: AccountRef | undefined;
    readonly status?: ExchangeOrderStatus | undefined;
    readonly limit: number;
  },
): Promise<readonly ExchangeOrderDocument[]> {
  const filter = { ...(wallet && { wallet: accountKey(wallet) }), outcome, ...(status && { status }) };
  return newest(views, filter, limit, 0);
}

async function newest(
  views: Pick<Views, 'find'>,
  filter: Filter,
  limit: number,
  skip: number,
): Promise<readonly ExchangeOrderDocument[]> {
  const order = [['number', 'desc']] as const;
  const query = { filter, order, limit, skip };
  return (await views.find<ExchangeOrderDocument>(EXCHANGE_ORDERS.name, query)).documents;
}

/** What was observed of an order, first first; the last `limit` of them. */
export async function findOrderStates(
  views: Pick<Views, 'find'>,
  orderId: string,
  limit: number,
): Promise<readonly ExchangeOrderStateDocument[]> {
  const { documents } = await views.find<ExchangeOrderStateDocument>(EXCHANGE_ORDER_STATES.name, {
    filter: { orderId },
    order: [['_id', 'desc']],
    limit,
  });
  return documents.toReversed();
}
