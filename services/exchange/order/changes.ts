import type { Logger } from 'pino';
import {
  EXCHANGE_ORDER_CATEGORY,
  exchangeOrderEvents,
  type ExchangeOrderEvent,
} from '../../../contracts/events/exchange-order';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { Position } from '../../../contracts/position';
import { retryForever } from '../../../contracts/retry/retry';
import { exchangeOrderKind } from './decider';
import type { ExchangeOrder } from './state';

/** An order as of an event of its stream. */
export interface OrderAt {
  readonly order: ExchangeOrder;
  readonly revision: number;
  readonly position: Position;
}

/** The changes of one order, from the moment on that they were asked for. */
export interface OrderChanges {
  /** The order once it is as wanted, or as it is after the time or at the signal. @param from as just read */
  until(
    from: OrderAt,
    isDone: (order: ExchangeOrder) => boolean,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<OrderAt>;
  stop(): void;
}

/** Resolves when every later change of the order will be seen. */
export type FollowOrder = (orderId: string) => Promise<OrderChanges>;

interface Change {
  readonly event: ExchangeOrderEvent;
  readonly revision: number;
  readonly position: Position;
}

interface Follower {
  readonly changes: Change[];
  /** Called after a change, and when the program stops. */
  wake(): void;
}

type FollowDeps = { readonly store: Pick<EventStore, 'head' | 'subscribe'>; readonly logger: Logger };

/**
 * Follows single orders by one subscription for all of them, which begins with the first: a request that waits for an order
 * does not read it again and again. @param signal ends the subscription and all waits
 */
export function createFollowOrder(deps: FollowDeps, signal: AbortSignal): FollowOrder {
  const followers = new Map<string, Set<Follower>>();
  let started: Promise<void> | null = null;

  async function start(): Promise<void> {
    const head = await deps.store.head();
    deliver(deps, followers, head, signal).catch((error: unknown) => {
      // The next request begins again.
      started = null;
      deps.logger.error({ err: error }, 'exchange orders cannot be followed');
    });
  }

  return async orderId => {
    started ??= start().catch((error: unknown) => {
      started = null;
      throw error;
    });
    await started;
    const follower: Follower = { changes: [], wake: () => undefined };
    const followersOfOrder = followers.get(orderId) ?? new Set();
    followers.set(orderId, followersOfOrder.add(follower));
    return {
      until: (from, isDone, timeoutMs, ended) =>
        follow(follower, from, isDone, timeoutMs, AbortSignal.any([signal, ended])),
      stop() {
        followersOfOrder.delete(follower);
        if (followersOfOrder.size === 0 && followers.get(orderId) === followersOfOrder)
          followers.delete(orderId);
      },
    };
  };
}

/** Hands the changes to the followers of their order, until the signal. @throws EngineAccessDenied */
function deliver(
  { store, logger }: FollowDeps,
  followers: ReadonlyMap<string, ReadonlySet<Follower>>,
  head: Position,
  signal: AbortSignal,
): Promise<void> {
  let after = head;
  return retryForever(
    async onProgress => {
      const options = { after, categories: [EXCHANGE_ORDER_CATEGORY], signal };
      for await (const { events, position } of store.subscribe(options)) {
        for (const recorded of events)
          for (const follower of followers.get(recorded.data['orderId'] as string) ?? []) {
            const event = exchangeOrderEvents.read(recorded) as ExchangeOrderEvent;
            follower.changes.push({ event, revision: recorded.revision, position: recorded.position });
            follower.wake();
          }
        after = position;
        onProgress();
      }
    },
    { signal, onError: error => logger.warn({ err: error }, 'exchange orders cannot be followed, retrying') },
  );
}

async function follow(
  follower: Follower,
  from: OrderAt,
  isDone: (order: ExchangeOrder) => boolean,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<OrderAt> {
  let at = from;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    follower.wake();
  }, timeoutMs);
  const wake = (): void => follower.wake();
  signal.addEventListener('abort', wake);
  try {
    while (!isDone(at.order) && !isLate && !signal.aborted) {
      const change = follower.changes.shift();
      if (!change) await new Promise<void>(resolve => (follower.wake = resolve));
      // What was read already has the others.
      else if (change.revision > at.revision) at = evolved(at, change);
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', wake);
  }
  return at;
}

const evolved = ({ order }: OrderAt, { event, revision, position }: Change): OrderAt => ({
  // One that is removed was over long ago, and moves no more.
  order: exchangeOrderKind.decider.evolve(order, event) ?? order,
  revision,
  position,
});
