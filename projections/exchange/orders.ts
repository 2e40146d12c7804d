import { EXCHANGE_ORDER_CATEGORY, exchangeOrderEvents } from '../../contracts/events/exchange-order';
import type { DocumentKey, EventProjection } from '../projection';
import { EXCHANGE_ORDER_STATES, EXCHANGE_ORDERS, type ExchangeOrderDocument } from './documents';
import { changesOrder, orderAfter } from './order-fold';
import { observation, stateId } from './order-states';

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
