import { refuse, type CommandMetadata, type Refusal } from '../../../contracts/decider';
import { exchangeOrderEvents, type ExchangeOrderEvent } from '../../../contracts/events/exchange-order';
import type {
  PartnerOrder,
  PartnerOrderState,
  PartnerRefused,
} from '../../../contracts/ports/exchange-partner';
import { AFTER_FAILURE_MS } from '../../../projections/exchange/listed-until';
import type { UnpaidOrders } from '../../../projections/exchange/queries';
import type { StreamKind } from '../../commands/stream-kind';
import { observe, progressOf } from './observe';
import { evolve, isPlacing, type ExchangeOrder, type ExchangeOrderRequest, type PlacedOrder } from './state';
import { isResolvable, isResolvableByAnybody } from './status-moves';
import { isShareUsedUp, MAX_UNPAID_FOR_WALLET } from './unpaid-orders';

/** Calls that have done nothing, after which an order is abandoned. */
const MAX_CALLS = 5;
/** Calls whose answer was lost, after which an order is abandoned. */
const MAX_LOST_ANSWERS = 2;
/** Whether the partner has an order is only known so long after its answer was lost. */
export const RECOVERY_MS = 60_000;
/** So long a partner that does not answer is asked. */
const MAX_SEARCH_MS = 3_600_000;

/** An order of the partner, and until when its payment is awaited. */
export interface PartnerAnswer {
  readonly order: PartnerOrder;
  /** RFC 3339 UTC instant with milliseconds. */
  readonly expiresAt: string;
}

type Attempt = { readonly attempt: number };

export type ExchangeOrderCommand = {
  readonly metadata: CommandMetadata & { readonly commandId?: string };
} & (
  | {
      readonly type: 'request';
      readonly request: ExchangeOrderRequest;
      /** As far as is known. */
      readonly unpaid: UnpaidOrders;
      /** Unpaid ones of a day; 0: any number. */
      readonly maxUnpaid: number;
    }
  /** The worker that appends the event calls the partner; no other does. */
  | { readonly type: 'startCall' }
  /** How the call ended. */
  | ({ readonly type: 'recordCreated' } & PartnerAnswer)
  | ({ readonly type: 'recordRejected' } & Attempt & Pick<PartnerRefused, 'reason' | 'message'>)
  | ({ readonly type: 'recordCallFailed'; readonly retryAt: string; readonly message: string } & Attempt)
  | ({ readonly type: 'recordOutcomeUnknown' } & Attempt)
  /**
   * Orders found at the partner that may be this one, without those of others; when it is one, it was claimed. Null when
   * the partner did not answer.
   */
  | { readonly type: 'recordSearch'; readonly found: readonly PartnerAnswer[] | null }
  /** How the partner shows the order. `asked`: what was known when it was asked; default: what is known now. */
  | {
      readonly type: 'observe';
      readonly order: PartnerOrderState;
      readonly asked?: Pick<ExchangeOrder, 'partnerStatus' | 'statusSince'>;
    }
  | { readonly type: 'passExpiry' }
  /** Nothing is recorded of one that was paid, or still may be. */
  | { readonly type: 'remove' }
  | { readonly type: 'resolve'; readonly by: 'operator' }
  /** `source`: where the call comes from. */
  | { readonly type: 'resolve'; readonly by: 'wallet'; readonly source: string }
  | {
      readonly type: 'earnCommission';
      readonly commission: string;
      readonly currency: string;
      readonly feeAmount: string;
      readonly grossAmount: string;
    }
);

type Command<Type extends ExchangeOrderCommand['type']> = Extract<ExchangeOrderCommand, { type: Type }>;
type Decision = readonly ExchangeOrderEvent[] | Refusal;

/**
 * An order is placed with the partner once: requested, asked for, and then created, rejected or, where the answer was lost,
 * found at the partner or abandoned. Then it moves as the partner says, by `status-moves.ts`.
 */
export const exchangeOrderKind: StreamKind<ExchangeOrder | null, ExchangeOrderCommand, ExchangeOrderEvent> = {
  events: exchangeOrderEvents,
  decider: {
    initial: () => null,
    evolve,
    decide(state, command) {
      if (command.type === 'request') return request(state, command);
      if (command.type === 'remove') return state ? remove(state, command) : [];
      if (!state) return refuse('exchange_order_not_found', 'There is no such order.');
      switch (command.type) {
        case 'startCall':
          return startCall(state, command);
        case 'recordCreated':
          return isPlacing(state) ? place('ExchangeOrderCreated', state, command, command) : [];
        case 'recordRejected':
        case 'recordCallFailed':
        case 'recordOutcomeUnknown':
          return endCall(state, command);
        case 'recordSearch':
          return recordSearch(state, command);
        case 'observe':
          return isOvertaken(state, command) ? [] : observe(state, command.order, command.metadata.now);
        case 'passExpiry':
          return passExpiry(state, command);
        case 'resolve':
          return resolve(state, command);
        case 'earnCommission':
          return earnCommission(state, command);
      }
    },
  },
};

function request(state: ExchangeOrder | null, command: Command<'request'>): Decision {
  const { request: requested, unpaid, maxUnpaid, metadata } = command;
  if (state) {
    if (state.requestHash === requested.requestHash) return [];
    return refuse('exchange_key_reused', 'The idempotency key belongs to another order of this wallet.');
  }
  if (unpaid.forWallet >= MAX_UNPAID_FOR_WALLET)
    return refuse(
      'too_many_exchange_orders',
      `At most ${MAX_UNPAID_FOR_WALLET} unpaid orders a day may be made for a wallet from one address.`,
    );
  if (isShareUsedUp(unpaid, maxUnpaid))
    return refuse('too_many_exchange_orders', 'Too many unpaid orders were made today from this address.');
  return [{ type: 'ExchangeOrderRequested', data: { ...requested, at: metadata.now } }];
}

function startCall(
  { orderId, placing }: ExchangeOrder,
  { metadata: { now: at } }: Command<'startCall'>,
): Decision {
  if (placing.step === 'requested') return [callStarted(orderId, at, 1)];
  if (placing.step === 'call_failed' && isReached(placing.retryAt, at))
    return [callStarted(orderId, at, placing.attempt + 1)];
  return [];
}

/** Only of the last call: the answer to an earlier one comes too late to matter, unless it has made the order. */
function endCall(
  { orderId, placing }: ExchangeOrder,
  command: Command<'recordRejected' | 'recordCallFailed' | 'recordOutcomeUnknown'>,
): Decision {
  const { attempt } = command;
  const data = { orderId, at: command.metadata.now };
  const isOpen = placing.step === 'calling' || placing.step === 'outcome_unknown';
  if (!isOpen || placing.attempt !== attempt) return [];
  if (command.type === 'recordOutcomeUnknown')
    return placing.step === 'calling'
      ? [{ type: 'ExchangeOrderOutcomeUnknown', data: { ...data, attempt } }]
      : [];
  const { message } = command;
  if (command.type === 'recordRejected')
    return [{ type: 'ExchangeOrderRejected', data: { ...data, reason: command.reason, message } }];
  const { retryAt } = command;
  return [
    { type: 'ExchangePartnerCallFailed', data: { ...data, attempt, retryAt, message } },
    ...(attempt < MAX_CALLS ? [] : [abandoned(orderId, data.at, 'partner_unavailable')]),
  ];
}

/**
 * One order found is ours. None or several may change while other orders of the wallet are on their way, so that they
 * only count in the end: then the call is repeated once, or the order is abandoned: one that nobody pays costs nothing,
 * two shown for one tap may both be paid.
 */
function recordSearch(state: ExchangeOrder, command: Command<'recordSearch'>): Decision {
  const { orderId, placing, lostAnswers } = state;
  const { found, metadata } = command;
  const at = metadata.now;
  if (placing.step !== 'outcome_unknown') return [];
  if (found === null)
    return isReached(after(placing.since, MAX_SEARCH_MS), at)
      ? [abandoned(orderId, at, 'partner_unavailable')]
      : [];
  if (found.length === 1) return place('ExchangeOrderAdopted', state, found[0]!, command);
  if (!isReached(after(placing.since, RECOVERY_MS), at)) return [];
  if (found.length > 1) return [abandoned(orderId, at, 'ambiguous')];
  if (lostAnswers >= MAX_LOST_ANSWERS) return [abandoned(orderId, at, 'not_found')];
  return [callStarted(orderId, at, placing.attempt + 1)];
}

function place(
  type: 'ExchangeOrderCreated' | 'ExchangeOrderAdopted',
  state: ExchangeOrder,
  { order, expiresAt }: PartnerAnswer,
  { metadata: { now: at } }: ExchangeOrderCommand,
): Decision {
  const placed: ExchangeOrderEvent = {
    type,
    data: { orderId: state.orderId, at, ...placedOrder(order, expiresAt) },
  };
  return [placed, ...observe(evolve(state, placed)!, order, at)];
}

const placedOrder = (order: PartnerOrder, expiresAt: string): PlacedOrder => ({
  partnerOrderId: order.id,
  partnerCreatedAt: order.createdAt,
  payinAddress: order.payinAddress,
  payinExtraId: order.payinExtraId,
  payoutAddress: order.payoutAddress,
  refundAddress: order.refundAddress,
  amountExpectedFrom: order.amountExpectedFrom,
  amountExpectedTo: order.amountExpectedTo,
  expiresAt,
  trackUrl: order.trackUrl,
  // Payments that it has already are recorded as seen.
  progress: { ...progressOf(order), payinHash: null, payoutHash: null },
});

/** Of answers that cross, nobody knows which one is the newer: the one that was recorded first counts, and the partner is asked again. */
const isOvertaken = (
  { partnerStatus, statusSince }: ExchangeOrder,
  { asked }: Pick<Command<'observe'>, 'asked'>,
): boolean => !!asked && (asked.partnerStatus !== partnerStatus || asked.statusSince !== statusSince);

function passExpiry(state: ExchangeOrder, { metadata: { now: at } }: Command<'passExpiry'>): Decision {
  const { orderId, placed, partnerStatus, isExpiryPassed } = state;
  const isAwaited = partnerStatus === 'new' || partnerStatus === 'waiting';
  if (!placed || !isAwaited || isExpiryPassed || !isReached(placed.expiresAt, at)) return [];
  return [{ type: 'ExchangeOrderExpiryPassed', data: { orderId, at, expiresAt: placed.expiresAt } }];
}

/** A partner takes a payment that comes late. */
function remove(state: ExchangeOrder, { metadata: { now: at } }: Command<'remove'>): Decision {
  const { orderId, placed, isPaid } = state;
  const isOver = placed ? isReached(after(placed.expiresAt, AFTER_FAILURE_MS), at) : !isPlacing(state);
  return isOver && !isPaid ? [{ type: 'ExchangeOrderRemoved', data: { orderId, at } }] : [];
}

/** Orders of a wallet are listed for everybody: who has not made one cannot hide it from its user while money may depend on it. */
function resolve(order: ExchangeOrder, command: Command<'resolve'>): Decision {
  const { orderId, placed, status } = order;
  const { by, metadata } = command;
  if (status === 'resolved') return [];
  const isOwn = command.by === 'operator' || command.source === order.source;
  if (!placed || !(isOwn ? isResolvable(status) : isResolvableByAnybody(status)))
    return refuse('exchange_order_not_resolvable', `The order is ${status}: it has succeeded, or still may.`);
  const data = { orderId, at: metadata.now, from: status, by, resolution: 'dismissed' as const };
  return [{ type: 'ExchangeOrderResolved', data }];
}

function earnCommission(state: ExchangeOrder, command: Command<'earnCommission'>): Decision {
  const { orderId, partner, partnerStatus, isCommissionEarned } = state;
  if (isCommissionEarned) return [];
  if (partnerStatus !== 'finished')
    return refuse('exchange_order_not_finished', `The order is ${partnerStatus}: nothing was earned.`);
  const { commission, currency, feeAmount, grossAmount, metadata } = command;
  const data = { orderId, at: metadata.now, partner, commission, currency, feeAmount, grossAmount };
  return [{ type: 'ExchangeCommissionEarned', data }];
}

const callStarted = (orderId: string, at: string, attempt: number): ExchangeOrderEvent => ({
  type: 'ExchangePartnerCallStarted',
  data: { orderId, at, attempt },
});

const abandoned = (
  orderId: string,
  at: string,
  reason: 'not_found' | 'ambiguous' | 'partner_unavailable',
): ExchangeOrderEvent => ({ type: 'ExchangeOrderAbandoned', data: { orderId, at, reason } });

const after = (instant: string, milliseconds: number): string =>
  new Date(Date.parse(instant) + milliseconds).toISOString();

const isReached = (instant: string, now: string): boolean => Date.parse(now) >= Date.parse(instant);
