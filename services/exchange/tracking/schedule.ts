import { sha256 } from '../../../contracts/encoding/sha256';
import { AFTER_FAILURE_MS } from '../../../projections/exchange/listed-until';
import type { PartnerStatus } from '../order/status-moves';

/** What the schedule of an order depends on; it follows from the events of the order alone. */
export interface TrackedOrder {
  readonly orderId: string;
  /** Of the partner. */
  readonly status: PartnerStatus;
  /** Milliseconds since the epoch: when the partner was seen at the status. */
  readonly since: number;
  /** Milliseconds since the epoch: until when the payment is awaited. */
  readonly expiresAt: number;
}

/** When an order is read. */
export interface Slot {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Slots are so far apart here, plus or minus `JITTER`. */
  readonly everyMs: number;
}

interface Stage {
  readonly everyMs: number;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Orders of one moment spread out: each slot is up to this part of its interval late. */
export const JITTER = 0.2;

type Stages = (order: TrackedOrder) => readonly Stage[];

const awaitingPayment: Stages = ({ since, expiresAt }) => [
  { everyMs: 15 * SECOND, until: Math.min(since + 10 * MINUTE, expiresAt) },
  { everyMs: MINUTE, until: expiresAt },
  { everyMs: 5 * MINUTE, until: expiresAt + DAY },
  { everyMs: 30 * MINUTE, until: expiresAt + AFTER_FAILURE_MS },
];
/** The partner has the money: it is followed to its end. */
const exchanging: Stages = ({ since }) => [
  { everyMs: 10 * SECOND, until: since + 5 * MINUTE },
  { everyMs: 30 * SECOND, until: since + DAY },
  { everyMs: 10 * MINUTE, until: Infinity },
];
const held: Stages = ({ since }) => [
  { everyMs: 10 * MINUTE, until: since + 7 * DAY },
  { everyMs: 6 * HOUR, until: Infinity },
];
/** A payment that comes late is still exchanged. */
const unpaid: Stages = ({ since }) => [{ everyMs: 30 * MINUTE, until: since + AFTER_FAILURE_MS }];
const failed: Stages = ({ since }) => [{ everyMs: 6 * HOUR, until: since + AFTER_FAILURE_MS }];
/**
 * One read confirms it, and has the fees and hashes that the partner adds last. The later ones are made while it does not answer, or has
 * not said its fees.
 */
const ended: Stages = ({ since }) => [
  { everyMs: MINUTE, until: since + (1 + JITTER) * MINUTE },
  { everyMs: 30 * MINUTE, until: since + DAY },
  { everyMs: 6 * HOUR, until: since + AFTER_FAILURE_MS },
];

const STAGES: Readonly<Record<PartnerStatus, Stages>> = {
  new: awaitingPayment,
  waiting: awaitingPayment,
  confirming: exchanging,
  exchanging,
  sending: exchanging,
  hold: held,
  overdue: unpaid,
  expired: unpaid,
  failed,
  finished: ended,
  refunded: ended,
};

/**
 * The first slot of an order after an instant; null when it has had its last one. It is always the same, so that nothing has to
 * be stored. While an order is at one status, it has a slot at least every 1.2 intervals.
 */
export function nextSlot(order: TrackedOrder, after: number): Slot | null {
  let start = order.since;
  for (const { everyMs, until } of STAGES[order.status](order)) {
    if (until <= start) continue;
    if (after < until) {
      // The status was read when it began.
      const first = start === order.since ? 1 : 0;
      for (let n = Math.max(first, Math.floor((after - start) / everyMs)); ; n++) {
        const at = start + Math.floor((n + jitter(order, start, n)) * everyMs);
        if (at >= until) break;
        if (at > after) return { at, everyMs };
      }
    }
    start = until;
  }
  return null;
}

/** From 0 to `JITTER`, the same for the same slot. */
function jitter({ orderId, status }: TrackedOrder, start: number, n: number): number {
  return (sha256(`${orderId}/${status}/${start}/${n}`).readUInt32BE() / 2 ** 32) * JITTER;
}

/** How urgent a slot is. Newer orders have shorter intervals, so that they come first. */
export const PACES = ['fast', 'steady', 'slow'] as const;
export type Pace = (typeof PACES)[number];

export function paceOf({ everyMs }: Pick<Slot, 'everyMs'>): Pace {
  if (everyMs <= 15 * SECOND) return 'fast';
  return everyMs <= MINUTE ? 'steady' : 'slow';
}
