import type { ExchangeOrderEvent, ExchangeProgress } from '../../../contracts/events/exchange-order';
import type { PartnerOrderState } from '../../../contracts/ports/exchange-partner';
import { mergeProgress, type ExchangeOrder } from './state';
import { isMoveAllowed, parsePartnerStatus, shownAfter } from './status-moves';

/** Anomalies that are recorded at one status of the partner: a partner may not fill the stream. */
const MAX_ANOMALIES = 8;
const MAX_STATUS_LENGTH = 64;

/** What is new in the partner's words about an order: nothing when it was said before. */
export function observe(
  state: ExchangeOrder,
  order: PartnerOrderState,
  at: string,
): readonly ExchangeOrderEvent[] {
  const { orderId, placed, partnerStatus: from, progress: known } = state;
  if (placed?.partnerOrderId !== order.id) return [];
  const to = parsePartnerStatus(order.status);
  if (to === null || (to !== from && !isMoveAllowed(from, to))) return anomaly(state, order, at);

  const progress = mergeProgress(known, progressOf(order));
  const { payinHash, payoutHash, amountFrom, amountTo } = progress;
  const seen: ExchangeOrderEvent[] = [];
  if (payinHash !== null && known.payinHash === null)
    seen.push({ type: 'ExchangePayinSeen', data: { orderId, at, hash: payinHash, amount: amountFrom } });
  if (payoutHash !== null && known.payoutHash === null)
    seen.push({ type: 'ExchangePayoutSent', data: { orderId, at, hash: payoutHash, amount: amountTo } });

  if (to !== from) {
    const shown = shownAfter(state.status, from, to);
    return [
      ...seen,
      { type: 'ExchangeOrderStatusObserved', data: { orderId, at, from, to, shown, progress } },
    ];
  }
  if (!isMoreKnown(known, progress)) return seen;
  return [...seen, { type: 'ExchangeOrderProgressObserved', data: { orderId, at, progress } }];
}

/** Recorded once, not at every poll. */
function anomaly(
  { orderId, partnerStatus: from, anomalies }: ExchangeOrder,
  { status }: PartnerOrderState,
  at: string,
): readonly ExchangeOrderEvent[] {
  const observed = status.slice(0, MAX_STATUS_LENGTH);
  if (anomalies.includes(observed) || anomalies.length >= MAX_ANOMALIES) return [];
  return [{ type: 'ExchangeOrderAnomalyObserved', data: { orderId, at, from, observed } }];
}

/** Hashes of payments have events of their own. Values that change while the status stays are read at its next move. */
function isMoreKnown(known: ExchangeProgress, progress: ExchangeProgress): boolean {
  const { payinHash, payoutHash, ...values } = progress;
  return Object.keys(values).some(
    field => known[field as keyof typeof values] === null && progress[field as keyof typeof values] !== null,
  );
}

export function progressOf(order: PartnerOrderState): ExchangeProgress {
  const { amountFrom, amountTo, networkFee, rate, payinHash, payoutHash, refundHash } = order;
  const { changellyFee, apiExtraFee, totalFee } = order;
  return {
    amountFrom,
    amountTo,
    networkFee,
    rate,
    payinHash,
    payoutHash,
    refundHash,
    changellyFee,
    apiExtraFee,
    totalFee,
  };
}
