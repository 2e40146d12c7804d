import { z } from 'zod';
import {
  EXCHANGE_ORDER_CATEGORY,
  EXCHANGE_ORDER_STATUSES,
  exchangeOrderEvents,
  isPaidStatus,
} from '../../../contracts/events/exchange-order';
import type { EventStore, RecordedEvent } from '../../../contracts/ports/event-store';
import type { NewJob } from '../../../contracts/ports/jobs';
import type { Reaction } from '../../reactions/event-reaction';
import type { ExchangeOrder } from '../order/state';
import { loadOrder } from '../order/load-order';
import { nextSlot, paceOf, type Pace, type Slot, type TrackedOrder } from './schedule';

/** Anybody can make orders and not pay them, so that those are no part of the way of orders that are paid. */
export const LANES = ['paid', 'unpaid'] as const;
export type Lane = (typeof LANES)[number];

const laneOf = ({ status }: Pick<TrackedOrder, 'status'>): Lane => (isPaidStatus(status) ? 'paid' : 'unpaid');

/** Each pace has a queue of its own, so that what is less urgent is not in the way. */
export function trackingQueue(pace: Pace, lane: Lane): string {
  return lane === 'paid' ? `exchange-tracking-${pace}` : `exchange-tracking-unpaid-${pace}`;
}

/** The data of a job: one slot of an order at one status. */
export const trackingJobData = z.object({
  orderId: z.string(),
  status: z.enum(EXCHANGE_ORDER_STATUSES).exclude(['resolved']),
  since: z.int(),
  expiresAt: z.int(),
  at: z.int(),
  everyMs: z.int(),
});

/** A run that fails adds the job of the next slot; only crashes and outages of the job engine count. */
const ATTEMPTS = 1_000;

/** The job of a slot. Its id names order, status and slot: however often it is derived, it is one. */
export function trackingJob(order: TrackedOrder, { at, everyMs }: Slot, now: number): NewJob {
  const { orderId, status, since, expiresAt } = order;
  return {
    queue: trackingQueue(paceOf({ everyMs }), laneOf(order)),
    id: `${orderId}/${status}/${since}/${at}`,
    data: { orderId, status, since, expiresAt, at, everyMs },
    delayMs: Math.max(0, at - now),
    attempts: ATTEMPTS,
    keepIdMs: 0,
  };
}

/** Null until the partner has the order. */
export function trackedOrder(order: ExchangeOrder): TrackedOrder | null {
  const { orderId, partnerStatus: status, statusSince, placed } = order;
  return (
    placed && { orderId, status, since: Date.parse(statusSince), expiresAt: Date.parse(placed.expiresAt) }
  );
}

type Store = Pick<EventStore, 'readStream'>;

/** The order whose status an event has begun; null where it has begun none, or the order has a later one. */
async function trackedSince(store: Store, recorded: RecordedEvent): Promise<TrackedOrder | null> {
  const { type, data } = exchangeOrderEvents.read(recorded);
  const isPlaced = type === 'ExchangeOrderCreated' || type === 'ExchangeOrderAdopted';
  if (!isPlaced && type !== 'ExchangeOrderStatusObserved') return null;
  const order = await loadOrder(store, data.orderId);
  const tracked = order && trackedOrder(order);
  return tracked?.since === Date.parse(data.at) ? tracked : null;
}

/** Starts the jobs of an order at each of its statuses; each job adds the next. */
export function orderTracking(store: Store, clock: () => Date): Reaction {
  return {
    name: 'exchange-tracking',
    categories: [EXCHANGE_ORDER_CATEGORY],
    from: 'beginning',
    async jobs(event) {
      const order = await trackedSince(store, event);
      // The first slot, even if it is long over: what happened meanwhile is unknown.
      const slot = order && nextSlot(order, order.since);
      return slot ? [trackingJob(order, slot, clock().getTime())] : [];
    },
  };
}

/** The jobs of all orders that are tracked. */
export async function* trackingJobs(
  store: Pick<EventStore, 'readAll' | 'readStream'>,
  clock: () => Date,
): AsyncIterable<NewJob> {
  for await (const events of store.readAll({ categories: [EXCHANGE_ORDER_CATEGORY] }))
    for (const event of events) {
      const order = await trackedSince(store, event);
      const now = clock().getTime();
      const slot = order && nextSlot(order, now);
      if (slot) yield trackingJob(order, slot, now);
    }
}
