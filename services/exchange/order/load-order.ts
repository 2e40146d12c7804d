import { exchangeOrderStream } from '../../../contracts/events/exchange-order';
import type { EventStore } from '../../../contracts/ports/event-store';
import { exchangeOrderKind } from './decider';
import type { ExchangeOrder } from './state';

/** Null when there is no such order. */
export async function loadOrder(
  store: Pick<EventStore, 'readStream'>,
  orderId: string,
): Promise<ExchangeOrder | null> {
  const { decider, events } = exchangeOrderKind;
  let order = decider.initial();
  for await (const event of store.readStream(exchangeOrderStream(orderId)))
    order = decider.evolve(order, events.read(event));
  return order;
}
