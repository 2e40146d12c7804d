import { z } from 'zod';
import {
  EXCHANGE_ORDER_CATEGORY,
  exchangeOrderEvents,
  type ExchangeOrderEvent,
} from '../../../contracts/events/exchange-order';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { NewJob } from '../../../contracts/ports/jobs';
import type { Reaction } from '../../reactions/event-reaction';
import type { ExchangeOrderRequest } from './state';

export const EXCHANGE_PLACING = 'exchange-placing';

export const placingJobData = z.object({
  orderId: z.string(),
  run: z.int(),
  /** Of the request; null where it was not recorded. */
  source: z.string().nullable().default(null),
});

/** With back-off a week: only faults of ours fail a run. */
const ATTEMPTS = 20;
const BACKOFF_MS = 500;

/** @param run from 1: each adds the next one when there is more to do later */
export function placingJob(
  { orderId, source }: Pick<ExchangeOrderRequest, 'orderId' | 'source'>,
  run: number,
  delayMs = 0,
): NewJob {
  const data: z.output<typeof placingJobData> = { orderId, run, source };
  const id = `${orderId}/${run}`;
  return { queue: EXCHANGE_PLACING, id, data, delayMs, attempts: ATTEMPTS, backoffMs: BACKOFF_MS };
}

/** Each requested order is placed by a job. */
export const placingReaction: Reaction = {
  name: EXCHANGE_PLACING,
  categories: [EXCHANGE_ORDER_CATEGORY],
  from: 'beginning',
  jobs(recorded) {
    const { type, data } = exchangeOrderEvents.read(recorded);
    return type === 'ExchangeOrderRequested' ? [placingJob(data, 1)] : [];
  },
};

/** Events after which there is nothing more to do. */
const ENDS: readonly ExchangeOrderEvent['type'][] = [
  'ExchangeOrderCreated',
  'ExchangeOrderRejected',
  'ExchangeOrderAdopted',
  'ExchangeOrderAbandoned',
];

/** The jobs of all orders that are still on their way to the partner. */
export async function* openPlacingJobs(store: Pick<EventStore, 'readAll'>): AsyncIterable<NewJob> {
  const open = new Map<string, ExchangeOrderRequest>();
  for await (const events of store.readAll({ categories: [EXCHANGE_ORDER_CATEGORY] }))
    for (const recorded of events) {
      const { type, data } = exchangeOrderEvents.read(recorded);
      if (type === 'ExchangeOrderRequested') open.set(data.orderId, data);
      if (ENDS.includes(type)) open.delete(data.orderId);
    }
  for (const requested of open.values()) yield placingJob(requested, 1);
}
