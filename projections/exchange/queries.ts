import type { ExchangeOrderStatus } from '../../contracts/events/exchange-order';
import { accountKey, type AccountRef } from '../../contracts/network/network';
import type { Filter } from '../../contracts/ports/documents';
import type { Views } from '../views';
import {
  dayOf,
  EXCHANGE_ORDER_STATES,
  EXCHANGE_ORDERS,
  type ExchangeOrderDocument,
  type ExchangeOrderOutcome,
  type ExchangeOrderStateDocument,
  isPlaced,
  type PlacedOrder,
} from './documents';

const MAX_LISTED = 1_000;

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
