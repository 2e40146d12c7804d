import { canonicalJson } from '../../../contracts/json/canonical-json';
import { exchangeOrderId, exchangeOrderStream } from '../../../contracts/events/exchange-order';
import { accountKey, type AccountRef } from '../../../contracts/network/network';
import type { ExchangePartner } from '../../../contracts/ports/exchange-partner';
import type { Position } from '../../../contracts/position';
import { Problem } from '../../../contracts/problem/problem';
import { sha256 } from '../../../contracts/encoding/sha256';
import type { Handle } from '../../handle';
import type { WaitLimit } from '../../read-until';
import type { FollowOrder, OrderAt } from './changes';
import { exchangeOrderKind } from './decider';
import { isPlacing, type ExchangeOrder, type ExchangeOrderRequest } from './state';

/** What a wallet asks for. Tickers as wallets spell them, addresses as the partner is given them. */
export interface NewExchangeOrder extends Pick<
  ExchangeOrderRequest,
  'source' | 'fromCurrency' | 'toCurrency' | 'network' | 'amountFrom' | 'payoutAddress' | 'refundAddress'
> {
  readonly wallet: AccountRef;
  readonly idempotencyKey: string;
}

export interface CreateOrderDeps {
  readonly handle: Handle;
  readonly follow: FollowOrder;
  /** Orders of a wallet that wait for a payment, as far as is known: concurrent requests may exceed the limit by a few. */
  readonly openOrders: (wallet: AccountRef) => Promise<number>;
  readonly partner: Pick<ExchangePartner, 'id' | 'sandbox'>;
  readonly clock: () => Date;
  /** How long a request waits for the partner. */
  readonly waitMs: number;
  /** Requests that may wait at a time. */
  readonly waitLimit: WaitLimit;
}

/** Seconds after which the same request may be repeated. */
const RETRY_AFTER = 3;

/**
 * Requests an order, and waits a bounded time until it is placed, rejected or abandoned. The same wallet and key are the same
 * order, however often and whenever this is repeated, also after a crash.
 * @throws Problem 409 `exchange_key_reused`, 429 `too_many_exchange_orders`, 503 `exchange_order_pending`
 */
export async function createExchangeOrder(
  deps: CreateOrderDeps,
  { wallet, source, idempotencyKey, ...terms }: NewExchangeOrder,
): Promise<{ readonly order: ExchangeOrder; readonly position: Position }> {
  const orderId = exchangeOrderId(wallet, idempotencyKey);
  const { id: partner, sandbox } = deps.partner;
  const requestHash = sha256(canonicalJson(terms)).toString('hex');
  const [openOrders, changes] = await Promise.all([deps.openOrders(wallet), deps.follow(orderId)]);
  try {
    const outcome = await deps.handle(exchangeOrderKind, exchangeOrderStream(orderId), {
      type: 'request',
      request: { ...terms, orderId, wallet, source, requestHash, partner, sandbox },
      openOrders,
      metadata: { now: deps.clock().toISOString(), actor: accountKey(wallet) },
    });
    if (outcome.refusal) throw Problem.of(outcome.refusal);
    const { state, revision, position } = outcome;
    const requested: OrderAt = { order: state!, revision: revision!, position };
    const end = deps.waitLimit.begin();
    try {
      const at = end ? await changes.until(requested, order => !isPlacing(order), deps.waitMs) : requested;
      if (!isPlacing(at.order)) return at;
    } finally {
      end?.();
    }
  } finally {
    changes.stop();
  }
  throw new Problem(
    'exchange_order_pending',
    'The order is being placed with the partner: repeat the request with the same idempotency key to get it.',
    { retryAfter: RETRY_AFTER },
  );
}
