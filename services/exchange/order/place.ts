import type { Logger } from 'pino';
import type { WithoutMetadata } from '../../../contracts/decider';
import { exchangeOrderStream, type ExchangeOrderEvent } from '../../../contracts/events/exchange-order';
import type { EventStore } from '../../../contracts/ports/event-store';
import {
  PartnerBusy,
  PartnerRefused,
  PartnerUnavailable,
  type ExchangePartner,
  type PartnerOrder,
} from '../../../contracts/ports/exchange-partner';
import { backoffMs } from '../../../contracts/retry/backoff';
import { messageOf } from '../../../contracts/text/error-message';
import type { Handle, Outcome } from '../../commands/handle';
import { claimPartnerOrder } from './claim';
import { exchangeOrderKind, RECOVERY_MS, type ExchangeOrderCommand, type PartnerAnswer } from './decider';
import { findAtPartner, isSameOrder } from './search';
import { callerOf, isPlacing, type ExchangeOrder, type Placing } from './state';

export interface PlaceDeps {
  readonly store: Pick<EventStore, 'append' | 'readStream'>;
  readonly handle: Handle;
  /** @throws PartnerUnavailable when there is none */
  readonly partner: () => Promise<Pick<ExchangePartner, 'createOrder' | 'ordersTo'>>;
  /** How long the partner waits for the payment of an order without a fixed rate. */
  readonly floatOrderTtlMs: number;
  readonly clock: () => Date;
  readonly logger: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;
  /** Counts how calls and searches end. */
  readonly onOutcome: (outcome: PlacingOutcome) => void;
}

export type PlacingOutcome =
  | 'created'
  | 'rejected'
  | 'call_failed'
  | 'outcome_unknown'
  | 'adopted'
  | 'abandoned_not_found'
  | 'abandoned_ambiguous'
  | 'abandoned_partner_unavailable';

/** The partner is not waited for longer. */
const CALL_TIMEOUT_MS = 15_000;
/** Then the call of another worker has ended, also by a clock that differs a little. */
const CALL_LOST_MS = CALL_TIMEOUT_MS + 5_000;
const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
/** Between two searches at least; later ones are further apart. */
const MIN_SEARCH_MS = 5_000;
const MAX_SEARCH_MS = 60_000;

type Step = Extract<Outcome<ExchangeOrder | null, ExchangeOrderEvent>, { refusal: null }>;

/**
 * Takes an order as far on its way to the partner as it goes now, from wherever an earlier run has left it: any number of
 * workers may do this at any time. Only the one that has appended the start of a call makes it; a start without an end is
 * the call of a worker that has died, whose outcome nobody knows.
 * @returns milliseconds until there is more to do; null when the order is placed, or never will be
 */
export async function placeOrder(deps: PlaceDeps, orderId: string): Promise<number | null> {
  let step = await execute(deps, orderId, { type: 'startCall' });
  for (;;) {
    const order = step.state!;
    if (!isPlacing(order)) return null;
    const { placing } = order;
    if (placing.step === 'calling' && hasStartedCall(step))
      step = await callPartner(deps, order, placing.attempt);
    else {
      const waitMs = dueAt(placing) - deps.clock().getTime();
      if (waitMs > 0) return waitMs;
      if (placing.step === 'outcome_unknown') {
        step = await search(deps, order);
        if (step.events.length === 0) return searchDelay(placing.since, deps.clock().getTime());
      } else if (placing.step === 'calling')
        step = await execute(deps, orderId, { type: 'recordOutcomeUnknown', attempt: placing.attempt });
      else step = await execute(deps, orderId, { type: 'startCall' });
    }
  }
}

/** Milliseconds since the epoch before which nothing is to do. */
function dueAt(placing: Placing): number {
  if (placing.step === 'calling') return Date.parse(placing.since) + CALL_LOST_MS;
  if (placing.step === 'call_failed') return Date.parse(placing.retryAt);
  return 0;
}

/** The longer it has taken, the later the next search; one is when the search may end. */
function searchDelay(since: string, now: number): number {
  const elapsedMs = now - Date.parse(since);
  const delayMs = Math.min(Math.max(elapsedMs, MIN_SEARCH_MS), MAX_SEARCH_MS);
  return elapsedMs < RECOVERY_MS ? Math.min(delayMs, RECOVERY_MS - elapsedMs) : delayMs;
}

const hasStartedCall = ({ events }: Step): boolean => events.at(-1)?.type === 'ExchangePartnerCallStarted';

/** The one call of this attempt. A stop of the program does not interrupt it: its answer would be lost. */
async function callPartner(deps: PlaceDeps, order: ExchangeOrder, attempt: number): Promise<Step> {
  const { orderId, fromCurrency: from, toCurrency: to, amountFrom, payoutAddress, refundAddress } = order;
  const caller = callerOf(order);
  const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
  let made: PartnerOrder;
  let isCalled = false;
  try {
    const partner = await deps.partner();
    isCalled = true;
    const request = { from, to, amountFrom, payoutAddress, refundAddress };
    made = await partner.createOrder(request, { priority: 'order', caller, signal });
  } catch (error) {
    const failure = isCalled ? error : new PartnerUnavailable(messageOf(error));
    return recordFailure(deps, orderId, attempt, failure);
  }
  if (!isSameOrder(order, made)) {
    deps.logger.error(
      { order: orderId, partnerOrder: made.id },
      'the exchange partner has made another order than the requested one',
    );
    return execute(deps, orderId, { type: 'recordOutcomeUnknown', attempt });
  }
  if (await claim(deps, order, made))
    return execute(deps, orderId, { type: 'recordCreated', ...answerOf(deps, made) });
  deps.logger.error(
    { order: orderId, partnerOrder: made.id },
    'the partner has answered with the order of another',
  );
  return execute(deps, orderId, { type: 'recordOutcomeUnknown', attempt });
}

function recordFailure(deps: PlaceDeps, orderId: string, attempt: number, error: unknown): Promise<Step> {
  if (error instanceof PartnerRefused) {
    const { reason, message } = error;
    return execute(deps, orderId, { type: 'recordRejected', attempt, reason, message });
  }
  if (error instanceof PartnerUnavailable) {
    const delayMs = Math.max(error.retryAfterMs ?? 0, backoffMs(attempt - 1, MIN_RETRY_MS, MAX_RETRY_MS));
    const retryAt = new Date(deps.clock().getTime() + delayMs).toISOString();
    const level = error instanceof PartnerBusy ? 'debug' : 'warn';
    deps.logger[level]({ order: orderId, attempt, message: error.message }, 'exchange partner not called');
    return execute(deps, orderId, { type: 'recordCallFailed', attempt, retryAt, message: error.message });
  }
  // Also a fault of ours: nobody knows how far the call has got.
  deps.logger.warn({ order: orderId, err: error }, 'answer of the exchange partner lost');
  return execute(deps, orderId, { type: 'recordOutcomeUnknown', attempt });
}

/** Looks for the order at the partner. One that is found is claimed before it is adopted. */
async function search(deps: PlaceDeps, order: ExchangeOrder): Promise<Step> {
  const candidates = await findAtPartner(deps, order);
  const [only] = candidates ?? [];
  const isTaken = candidates?.length === 1 && !(await claim(deps, order, only!));
  const found = isTaken ? [] : (candidates?.map(each => answerOf(deps, each)) ?? null);
  return execute(deps, order.orderId, { type: 'recordSearch', found });
}

const claim = (
  deps: PlaceDeps,
  { orderId, partner }: ExchangeOrder,
  { id }: PartnerOrder,
): Promise<boolean> =>
  claimPartnerOrder(deps.store, {
    partner,
    partnerOrderId: id,
    orderId,
    at: deps.clock().toISOString(),
  });

function answerOf({ floatOrderTtlMs }: PlaceDeps, order: PartnerOrder): PartnerAnswer {
  const expiresAt = order.payTill ?? new Date(Date.parse(order.createdAt) + floatOrderTtlMs).toISOString();
  return { order, expiresAt };
}

async function execute(
  deps: PlaceDeps,
  orderId: string,
  fields: WithoutMetadata<ExchangeOrderCommand>,
): Promise<Step> {
  const metadata = { now: deps.clock().toISOString(), actor: 'exchange placing' };
  const command = { ...fields, metadata } as ExchangeOrderCommand;
  const outcome = await deps.handle(exchangeOrderKind, exchangeOrderStream(orderId), command);
  if (outcome.refusal) throw new Error(`order ${orderId}: ${outcome.refusal.detail}`);
  for (const event of outcome.events) report(deps, event);
  return outcome;
}

function report({ logger, onOutcome }: PlaceDeps, { type, data }: ExchangeOrderEvent): void {
  const order = data.orderId;
  if (type === 'ExchangeOrderCreated') onOutcome('created');
  if (type === 'ExchangeOrderRejected') onOutcome('rejected');
  if (type === 'ExchangePartnerCallFailed') onOutcome('call_failed');
  if (type === 'ExchangeOrderOutcomeUnknown') onOutcome('outcome_unknown');
  if (type === 'ExchangeOrderAdopted') {
    onOutcome('adopted');
    logger.info({ order, partnerOrder: data.partnerOrderId }, 'exchange order found at the partner');
  }
  if (type === 'ExchangeOrderAbandoned') {
    onOutcome(`abandoned_${data.reason}`);
    // Each of its calls that was not made is in the log, unless a stranger may have caused it.
    const level = data.reason === 'partner_unavailable' ? 'debug' : 'error';
    logger[level]({ order, reason: data.reason }, 'exchange order abandoned');
  }
}
