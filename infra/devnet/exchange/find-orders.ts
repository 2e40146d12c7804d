import type { z } from 'zod';
import type { Order, orderView } from './order';
import type { OrderStore } from './order-store';
import type { PARAMS } from './params';

type View = ReturnType<typeof orderView>;

/** The page of orders that was asked for, newest first. */
export function findOrders(
  store: OrderStore,
  wanted: z.output<typeof PARAMS.transactions>,
  view: (order: Order) => View,
): View[] {
  const { id, status, currency, address, payoutAddress, extraId, since, limit, offset } = wanted;
  const candidates = id
    ? [...id].flatMap(each => store.withId(each))
    : payoutAddress
      ? [...payoutAddress].flatMap(each => store.paidTo(each))
      : store.all();
  const result: View[] = [];
  let skipped = 0;
  for (const order of candidates.toReversed().sort((a, b) => b.createdAt - a.createdAt)) {
    if (payoutAddress && !payoutAddress.has(order.payoutAddress)) continue;
    if (currency && !currency.has(order.from)) continue;
    if (address && !address.has(order.payinAddress)) continue;
    if (extraId && order.payinExtraId !== extraId) continue;
    if (since !== undefined && order.createdAt * 1_000 < since) continue;
    const shown = view(order);
    if (status && !status.has(shown.status)) continue;
    if (skipped++ < offset) continue;
    if (result.push(shown) === limit) break;
  }
  return result;
}
