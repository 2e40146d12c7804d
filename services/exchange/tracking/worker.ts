import type { Logger } from 'pino';
import { PartnerUnavailable, type ExchangePartner } from '../../../contracts/ports/exchange-partner';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { Job, Jobs } from '../../../contracts/ports/jobs';
import type { Handle } from '../../commands/handle';
import { isCommissionKnown } from '../commission/commission';
import { LANES, trackedOrder, trackingJob, trackingJobData, trackingQueue, type Lane } from './jobs';
import { loadOrder } from '../order/load-order';
import type { ExchangeOrder } from '../order/state';
import { isFinalStatus } from '../order/status-moves';
import { observeOrder, passExpiry } from './observe-order';
import { createOrderReads, type OrderReads } from './order-reads';
import { nextSlot, PACES, paceOf, type Pace, type Slot, type TrackedOrder } from './schedule';

export interface OrderPoll {
  readonly pace: Pace;
  /**
   * `ended`: the order has another status, whose jobs follow it, or nothing more is to be said of it. `unknown`: the partner does not
   * know the order.
   */
  readonly outcome: 'read' | 'ended' | 'unknown' | 'unavailable' | 'failed';
  /** How late the order was read. */
  readonly lagMs: number;
  /** Slots that were over when it was read. */
  readonly skipped: number;
}

export interface OrderTrackingDeps {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly handle: Handle;
  readonly jobs: Pick<Jobs, 'add' | 'work'>;
  /** Opened at the first read. @throws PartnerUnavailable where there is none */
  readonly partner: () => Promise<Pick<ExchangePartner, 'orders'>>;
  readonly clock: () => Date;
  readonly logger: Logger;
  readonly onPoll: (poll: OrderPoll) => void;
  /** How long an order waits for others to fill its batch; default 500, 5 % of the shortest interval. */
  readonly maxWaitMs?: number;
}

/** Orders in memory at a time, of each pace: enough for full batches while others are read. */
const CONCURRENCY = 40;
/** Enough for the partner's 8 requests a second to be under way while each takes half a second. */
const MAX_BATCHES = 4;
const MAX_WAIT_MS = 500;
/** Until an order is read again that could not be read in its last slot. */
const RETRY_MS = 3_600_000;

/** Reads open orders at the partner, each in its slots, until the signal. Any number of processes may do so. */
export async function workOrderTracking(deps: OrderTrackingDeps, signal: AbortSignal): Promise<void> {
  await Promise.all(LANES.map(lane => workLane(deps, lane, signal)));
}

/** The lanes take turns at the partner: neither keeps the other waiting. */
async function workLane(deps: OrderTrackingDeps, lane: Lane, signal: AbortSignal): Promise<void> {
  const call = { priority: 'background', caller: `${lane} orders`, signal } as const;
  const reads = createOrderReads({
    read: async ids => (await deps.partner()).orders(ids, call),
    maxWaitMs: deps.maxWaitMs ?? MAX_WAIT_MS,
    maxConcurrent: MAX_BATCHES,
  });
  await Promise.all(
    PACES.map(pace =>
      deps.jobs.work({ queue: trackingQueue(pace, lane), concurrency: CONCURRENCY, signal }, job =>
        runSlot(deps, reads, job),
      ),
    ),
  );
}

/**
 * Polls an order and adds the job of its next slot, also after a failure: an outage delays no slot but those that are over,
 * and no order is lost by it.
 */
async function runSlot(deps: OrderTrackingDeps, reads: OrderReads, job: Job): Promise<void> {
  const { at, everyMs, ...order } = trackingJobData.parse(job.data);
  const { clock, logger, jobs, onPoll } = deps;
  const pace = paceOf({ everyMs });
  const lagMs = Math.max(0, clock().getTime() - at);
  const outcome = await poll(deps, reads, order, pace).catch((error: unknown) => {
    job.signal.throwIfAborted();
    if (error instanceof PartnerUnavailable) return 'unavailable' as const;
    logger.warn({ err: error, orderId: order.orderId }, 'exchange order could not be tracked');
    return 'failed' as const;
  });
  const now = clock().getTime();
  onPoll({ pace, outcome, lagMs, skipped: Math.floor((now - at) / everyMs) });
  if (outcome === 'ended') return;
  const isUnread = outcome === 'unavailable' || outcome === 'failed';
  const next = nextSlot(order, Math.max(at, now)) ?? (isUnread ? retrySlot(now) : null);
  if (next) await jobs.add(trackingJob(order, next, now));
}

const retrySlot = (now: number): Slot => ({ at: now + RETRY_MS, everyMs: RETRY_MS });

async function poll(
  { store, handle, clock }: OrderTrackingDeps,
  reads: OrderReads,
  tracked: TrackedOrder,
  pace: Pace,
): Promise<OrderPoll['outcome']> {
  const loaded = await loadOrder(store, tracked.orderId);
  if (!loaded?.placed || !isAt(loaded, tracked)) return 'ended';
  const now = (): string => clock().toISOString();
  const { order } = await passExpiry(handle, loaded, now());
  const read = await reads.read(loaded.placed.partnerOrderId, pace);
  if (!read) return 'unknown';
  const observed = await observeOrder(handle, order, read, now());
  return isAt(observed.order, tracked) && !isOver(observed.order) ? 'read' : 'ended';
}

/** Whether the partner has said all of an order: of one that is finished also what it has earned. */
function isOver({ partnerStatus, progress }: Pick<ExchangeOrder, 'partnerStatus' | 'progress'>): boolean {
  return isFinalStatus(partnerStatus) && (partnerStatus !== 'finished' || isCommissionKnown(progress));
}

/** Whether an order is at the status that a job tracks: another has jobs of its own. */
function isAt(order: Parameters<typeof trackedOrder>[0], { status, since }: TrackedOrder): boolean {
  const tracked = trackedOrder(order);
  return tracked?.status === status && tracked.since === since;
}
