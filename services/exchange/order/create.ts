import { exchangeOrderStream } from '../../../contracts/events/exchange-order';
import { accountKey } from '../../../contracts/network/network';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { ExchangePartner } from '../../../contracts/ports/exchange-partner';
import type { Position } from '../../../contracts/position';
import { Problem } from '../../../contracts/problem/problem';
import type { UnpaidOrders } from '../../../projections/exchange/queries';
import { newStream } from '../../commands/stream-kind';
import type { Handle } from '../../commands/handle';
import type { WaitLimit } from '../../reads/read-until';
import type { FollowOrder, OrderAt } from './changes';
import { exchangeOrderKind } from './decider';
import { findRequestedOrder, requestHashOf, type NewExchangeOrder, type RequestedOrder } from './new-order';
import { isPlacing, type ExchangeOrder } from './state';

export interface CreateOrderDeps {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly handle: Handle;
  readonly follow: FollowOrder;
  /** As far as is known: concurrent requests may exceed the limits by a few. */
  readonly unpaidOrders: (
    request: Pick<NewExchangeOrder, 'wallet' | 'source'>,
    now: string,
  ) => Promise<UnpaidOrders>;
  /** Unpaid orders of a day; 0: any number. */
  readonly maxUnpaid: number;
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
 * Requests an order, and waits a bounded time until it is placed, rejected or abandoned. The same wallet, key and terms are the
 * same order, however often, whenever and from wherever this is repeated, also after a crash.
 * @param found what there was of it a moment ago; default: it is read
 * @throws Problem 409 `exchange_key_reused`, 429 `too_many_exchange_orders`, 503 `exchange_order_pending`
 */
export async function createExchangeOrder(
  deps: CreateOrderDeps,
  request: NewExchangeOrder,
  found?: RequestedOrder,
): Promise<{ readonly order: ExchangeOrder; readonly position: Position }> {
  const { wallet, source, idempotencyKey: _, ...terms } = request;
  const { id: partner, sandbox } = deps.partner;
  const requestHash = requestHashOf(request);
  const { orderId, order } = found ?? (await findRequestedOrder(deps.store, request));
  const now = deps.clock().toISOString();
  const unpaid = await deps.unpaidOrders({ wallet, source }, now);
  const changes = await deps.follow(orderId);
  try {
    const command = {
      type: 'request',
      request: { ...terms, orderId, wallet, source, requestHash, partner, sandbox },
      unpaid,
      maxUnpaid: deps.maxUnpaid,
      metadata: { now, actor: accountKey(wallet) },
    } as const;
    const known = order ? undefined : newStream(exchangeOrderKind);
    const outcome = await deps.handle(exchangeOrderKind, exchangeOrderStream(orderId), command, known);
    if (outcome.refusal) {
      // A moment ago the key was free.
      const current = await findRequestedOrder(deps.store, request);
      if (current.orderId !== orderId) return await createExchangeOrder(deps, request, current);
      throw Problem.of(outcome.refusal);
    }
    const { state, revision, position } = outcome;
    const requested: OrderAt = { order: state!, revision: revision!, position };
    const wait = deps.waitLimit.begin(source);
    try {
      const at = wait
        ? await changes.until(requested, order => !isPlacing(order), deps.waitMs, wait.signal)
        : requested;
      if (!isPlacing(at.order)) return at;
    } finally {
      wait?.end();
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
