import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { atMost } from '../../../contracts/engine/cache-bounds';
import { PartnerUnavailable, type ExchangePartner } from '../../../contracts/ports/exchange-partner';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { Position } from '../../../contracts/position';
import type { Handle } from '../../commands/handle';
import { isFinalStatus } from '../order/status-moves';
import { loadOrder } from '../order/load-order';
import { observeOrder } from './observe-order';
import { createOrderReads } from './order-reads';
import { withTimeout } from '../../../contracts/retry/with-timeout';
import { monotonic } from '../../../contracts/time/monotonic';

export interface OrderRefreshDeps {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly handle: Handle;
  /** @throws PartnerUnavailable where there is none */
  readonly partner: () => Promise<Pick<ExchangePartner, 'orders'>>;
  readonly clock: () => Date;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** How long a caller waits for the partner; default 3,000. */
  readonly waitMs?: number;
}

/**
 * Asks the partner for an order because its user wants to know.
 * @returns the position of what was new; null when nothing was, or the partner has not said so in time: what it says later is
 * recorded all the same
 */
export type RefreshOrder = (orderId: string) => Promise<Position | null>;

/** An order is refreshed at most once in this time, however many ask. */
const FRESH_MS = 5_000;
const MAX_FRESH = 10_000;
const WAIT_MS = 3_000;
/** Somebody waits for it. */
const BATCH_WAIT_MS = 20;
const MAX_BATCHES = 2;

export function createOrderRefresh(deps: OrderRefreshDeps): RefreshOrder {
  const { store, handle, partner, clock, logger, signal, waitMs = WAIT_MS } = deps;
  const refreshed = new LRUCache<string, Promise<Position | null>>({
    ...atMost(MAX_FRESH),
    ttl: FRESH_MS,
    perf: { now: monotonic(() => clock().getTime()) },
    ttlResolution: 0,
  });
  const reads = createOrderReads({
    read: async ids => (await partner()).orders(ids, { priority: 'refresh', signal }),
    maxWaitMs: BATCH_WAIT_MS,
    maxConcurrent: MAX_BATCHES,
  });

  async function refresh(orderId: string): Promise<Position | null> {
    const order = await loadOrder(store, orderId);
    if (!order?.placed || isFinalStatus(order.partnerStatus)) return null;
    const read = await reads.read(order.placed.partnerOrderId, 'fast');
    return read && (await observeOrder(handle, order, read, clock().toISOString())).position;
  }

  return async orderId => {
    let refreshing = refreshed.get(orderId);
    if (!refreshing) {
      refreshing = refresh(orderId).catch((error: unknown) => {
        // Callers refresh as often as they like while the partner is away; orders are followed all the same.
        const level = error instanceof PartnerUnavailable ? 'debug' : 'warn';
        logger[level]({ err: error, orderId }, 'exchange order could not be refreshed');
        return null;
      });
      refreshed.set(orderId, refreshing);
    }
    return withTimeout(waitMs, refreshing, () => null);
  };
}
