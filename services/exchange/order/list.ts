import {
  EXCHANGE_ORDER_STATUSES,
  isPaidStatus,
  UNPAID_ORDER_STATUSES,
  type ExchangeOrderStatus,
} from '../../../contracts/events/exchange-order';
import type { AccountRef } from '../../../contracts/network/network';
import type { PlacedOrder } from '../../../projections/exchange/documents';
import { findListedOrders, findOrdersFrom, findOrdersIn } from '../../../projections/exchange/queries';
import type { Views } from '../../../projections/views';
import { roundRobin } from '../../callers/round-robin';

export interface OrderPage {
  /** Of any age; absent: those that are listed at `now`. */
  readonly status?: ExchangeOrderStatus | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** Who reads the list, and when. */
export interface ListReader {
  readonly source: string;
  /** RFC 3339 UTC instant with milliseconds. */
  readonly now: string;
}

/**
 * Orders of wallets, newest first. Anybody can make orders for a wallet: what is not paid and was asked for elsewhere than where
 * the list is read comes on later pages, the oldest of each source first, so that strangers push out nothing that they did not make.
 */
export async function listOrders(
  views: Pick<Views, 'find'>,
  wallets: readonly AccountRef[],
  { status, limit, offset }: OrderPage,
  { source, now }: ListReader,
): Promise<readonly PlacedOrder[]> {
  // Nobody pays for an order to spoil a list.
  if (status && isPaidStatus(status)) return findOrdersIn(views, wallets, status, { limit, offset });
  const isListed = (order: PlacedOrder): boolean =>
    status ? order.status === status : order.listedUntil > now;
  const [own, ...others] = await Promise.all([
    findOrdersFrom(views, wallets, source),
    ...(status
      ? [findOrdersIn(views, wallets, status)]
      : [PAID, UNPAID_ORDER_STATUSES].map(statuses => findListedOrders(views, wallets, statuses, now))),
  ]);
  const found = newestFirst(new Map([...own, ...others.flat()].map(order => [order._id, order])).values());
  const [first, rest] = partition(
    found.filter(isListed),
    order => isPaidStatus(order.partnerStatus) || order.source === source,
  );
  const turns = roundRobin(rest.toReversed(), order => order.source ?? '');
  return newestFirst([...first, ...turns].slice(offset, offset + limit));
}

const PAID = EXCHANGE_ORDER_STATUSES.filter(isPaidStatus);

const newestFirst = (orders: Iterable<PlacedOrder>): PlacedOrder[] =>
  [...orders].sort((a, b) => b.number - a.number);

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): readonly [T[], T[]] {
  return [items.filter(isFirst), items.filter(item => !isFirst(item))];
}
