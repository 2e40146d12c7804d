import {
  type ExchangeOrderEvent,
  type ExchangeOrderStatus,
  type ExchangeProgress,
  isPaidStatus,
  NO_PROGRESS,
} from '../../contracts/events/exchange-order';
import { accountKey } from '../../contracts/network/network';
import { dayOf, type ExchangeOrderDocument } from './documents';
import { ALWAYS_LISTED, listedUntil } from './listed-until';

const UNTOUCHED: ReadonlySet<ExchangeOrderEvent['type']> = new Set([
  'ExchangePartnerCallStarted',
  'ExchangePartnerCallFailed',
  'ExchangeOrderExpiryPassed',
  'ExchangeOrderAnomalyObserved',
  'ExchangeCommissionEarned',
]);

/** Whether the event changes the document of its order. */
export function changesOrder({ type }: ExchangeOrderEvent): boolean {
  return !UNTOUCHED.has(type);
}

/** An order after an event. @param position of the event; that of its first one is its number */
export function orderAfter(
  before: ExchangeOrderDocument | null,
  { type, data }: ExchangeOrderEvent,
  position: number,
): ExchangeOrderDocument | null {
  const updatedAt = data.at;
  if (type === 'ExchangeOrderRequested') {
    const { orderId, at, wallet, source, partner, sandbox } = data;
    const { fromCurrency, toCurrency, network, amountFrom } = data;
    const facts = { partner, sandbox, fromCurrency, toCurrency, network, amountRequested: amountFrom };
    return {
      _id: orderId,
      wallet: accountKey(wallet),
      source,
      day: dayOf(at),
      isPaid: false,
      number: position,
      ...facts,
      outcome: 'requested',
      reason: null,
      status: 'new',
      partnerStatus: 'new',
      listedUntil: ALWAYS_LISTED,
      createdAt: at,
      updatedAt,
      placed: null,
      progress: NO_PROGRESS,
    };
  }
  if (!before) return null; // only in a stream that was cut
  const { progress } = before;
  const after = { ...before, updatedAt };
  switch (type) {
    case 'ExchangeOrderCreated':
    case 'ExchangeOrderAdopted': {
      const { orderId: _orderId, at: _at, progress: reported, ...placed } = data;
      return { ...movedTo({ ...after, placed }, 'new', updatedAt), outcome: 'placed', progress: reported };
    }
    case 'ExchangeOrderRejected':
      return { ...after, outcome: 'rejected', reason: data.reason };
    case 'ExchangeOrderOutcomeUnknown':
      return { ...after, outcome: 'unknown' };
    case 'ExchangeOrderAbandoned':
      return { ...after, outcome: 'abandoned', reason: data.reason };
    case 'ExchangeOrderStatusObserved':
      return {
        ...movedTo(after, data.shown, updatedAt),
        partnerStatus: data.to,
        isPaid: after.isPaid || isPaidStatus(data.to),
        progress: known(progress, data.progress),
      };
    case 'ExchangeOrderProgressObserved':
      return { ...after, progress: known(progress, data.progress) };
    case 'ExchangePayinSeen':
      return {
        ...after,
        isPaid: true,
        progress: known(progress, { payinHash: data.hash, amountFrom: data.amount }),
      };
    case 'ExchangePayoutSent':
      return { ...after, progress: known(progress, { payoutHash: data.hash, amountTo: data.amount }) };
    case 'ExchangeOrderResolved':
      return movedTo(after, 'resolved', updatedAt);
    default:
      return before;
  }
}

function movedTo(
  order: ExchangeOrderDocument,
  status: ExchangeOrderStatus,
  at: string,
): ExchangeOrderDocument {
  const expiresAt = order.placed?.expiresAt ?? ALWAYS_LISTED;
  return { ...order, status, listedUntil: listedUntil(status, at, expiresAt) };
}

/** What is known already stays when a later answer leaves it out. */
function known(before: ExchangeProgress, after: Partial<ExchangeProgress>): ExchangeProgress {
  const given = Object.entries(after).filter(([, value]) => value !== null);
  return { ...before, ...Object.fromEntries(given) };
}
