import {
  EXCHANGE_ORDER_STATUSES,
  isPaidStatus,
  UNPAID_ORDER_STATUSES,
  type ExchangeOrderStatus,
} from '../../../contracts/events/exchange-order';

/** Statuses of the partner. */
export type PartnerStatus = Exclude<ExchangeOrderStatus, 'resolved'>;

const AFTER_PAYMENT = [
  'confirming',
  'exchanging',
  'sending',
  'finished',
  'failed',
  'refunded',
  'hold',
] as const;

/**
 * Where an order may be seen next. A partner is read now and then, so that moves forward may skip statuses. A pay-in address
 * lasts: a payment after `overdue` or `expired` is exchanged as well. Support may take up a failed order again.
 */
const MOVES: Readonly<Record<PartnerStatus, readonly PartnerStatus[]>> = {
  new: ['waiting', ...AFTER_PAYMENT, 'overdue', 'expired'],
  waiting: [...AFTER_PAYMENT, 'overdue', 'expired'],
  confirming: ['exchanging', 'sending', 'finished', 'failed', 'refunded', 'hold'],
  exchanging: ['sending', 'finished', 'failed', 'refunded', 'hold'],
  sending: ['finished', 'failed', 'refunded', 'hold'],
  hold: ['confirming', 'exchanging', 'sending', 'finished', 'failed', 'refunded'],
  overdue: AFTER_PAYMENT,
  expired: AFTER_PAYMENT,
  failed: ['exchanging', 'sending', 'finished', 'refunded', 'hold'],
  finished: [],
  refunded: [],
};

/** The user may close an order that they will not pay, that came to nothing, or that waits for them. */
const RESOLVABLE: readonly ExchangeOrderStatus[] = [...UNPAID_ORDER_STATUSES, 'failed', 'refunded', 'hold'];

/** Null for a status that the partner does not have, as far as we know. */
export function parsePartnerStatus(text: string): PartnerStatus | null {
  const status = EXCHANGE_ORDER_STATUSES.find(known => known === text);
  return status === undefined || status === 'resolved' ? null : status;
}

export function isMoveAllowed(from: PartnerStatus, to: PartnerStatus): boolean {
  return MOVES[from].includes(to);
}

/** No move leads on from it. */
export function isFinalStatus(status: PartnerStatus): boolean {
  return MOVES[status].length === 0;
}

export function isResolvable(shown: ExchangeOrderStatus): boolean {
  return RESOLVABLE.includes(shown);
}

/** Whether also somebody may close it who has not made it: no money is on its way, or it was returned. */
export function isResolvableByAnybody(shown: ExchangeOrderStatus): boolean {
  return shown === 'expired' || shown === 'overdue' || shown === 'refunded';
}

/**
 * What is shown once the partner has moved on: what the user has closed stays closed, unless a payment was seen that was not there
 * before, or the money has arrived.
 */
export function shownAfter(
  shown: ExchangeOrderStatus,
  from: PartnerStatus,
  to: PartnerStatus,
): ExchangeOrderStatus {
  const isPaidLate = !isPaidStatus(from) && isPaidStatus(to);
  return shown === 'resolved' && !isPaidLate && !isFinalStatus(to) ? shown : to;
}
