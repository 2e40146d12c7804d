import { sha256 } from '../../../contracts/encoding/sha256';
import { exchangeOrderId, exchangeOrderIdOfTerms } from '../../../contracts/events/exchange-order';
import { canonicalJson } from '../../../contracts/json/canonical-json';
import type { AccountRef } from '../../../contracts/network/network';
import type { EventStore } from '../../../contracts/ports/event-store';
import { loadOrder } from './load-order';
import type { ExchangeOrder, ExchangeOrderRequest } from './state';

/** What a wallet asks for. Tickers as wallets spell them, addresses as the partner is given them. */
export interface NewExchangeOrder extends Pick<
  ExchangeOrderRequest,
  'fromCurrency' | 'toCurrency' | 'network' | 'amountFrom' | 'payoutAddress' | 'refundAddress'
> {
  readonly wallet: AccountRef;
  /** Where it is asked for. */
  readonly source: string;
  readonly idempotencyKey: string;
}

/** Of its terms, hex. */
export function requestHashOf(request: NewExchangeOrder): string {
  const { wallet: _wallet, source: _source, idempotencyKey: _key, ...terms } = request;
  return sha256(canonicalJson(terms)).toString('hex');
}

/** The order that a request means; null when there is none yet. */
export interface RequestedOrder {
  readonly orderId: string;
  readonly order: ExchangeOrder | null;
}

/**
 * The order that a request means, and what there is of it. A key belongs to the caller that has used it first for a wallet; a request of
 * another caller with other terms is an order of its own, which has its terms in its id: repeated from another network it is
 * still the same.
 */
export async function findRequestedOrder(
  store: Pick<EventStore, 'readStream'>,
  request: NewExchangeOrder,
): Promise<RequestedOrder> {
  const { wallet, source, idempotencyKey } = request;
  const requestHash = requestHashOf(request);
  const orderId = exchangeOrderId(wallet, idempotencyKey);
  const order = await loadOrder(store, orderId);
  if (!order || order.requestHash === requestHash || order.source === source) return { orderId, order };
  const ownId = exchangeOrderIdOfTerms(wallet, idempotencyKey, requestHash);
  return { orderId: ownId, order: await loadOrder(store, ownId) };
}
