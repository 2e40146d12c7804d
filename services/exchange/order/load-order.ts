import { exchangeOrderStream } from '../../../contracts/events/exchange-order';
import type { EventStore } from '../../../contracts/ports/event-store';
import { load } from '../../commands/load';
import { exchangeOrderKind } from './decider';
import type { ExchangeOrder } from './state';

/** Null when there is no such order. */
export function loadOrder(
  store: Pick<EventStore, 'readStream'>,
  orderId: string,
): Promise<ExchangeOrder | null> {
  return load(store, exchangeOrderKind, exchangeOrderStream(orderId));
}
