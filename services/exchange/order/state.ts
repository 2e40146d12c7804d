import {
  isPaidStatus,
  NO_PROGRESS,
  type ExchangeOrderEvent,
  type ExchangeOrderStatus,
  type ExchangeProgress,
} from '../../../contracts/events/exchange-order';
import type { PartnerStatus } from './status-moves';

type DataOf<Type extends ExchangeOrderEvent['type']> = Extract<ExchangeOrderEvent, { type: Type }>['data'];

/** What was asked for. */
export type ExchangeOrderRequest = Omit<DataOf<'ExchangeOrderRequested'>, 'at'>;

/** What the partner said when it made the order. */
export type PlacedOrder = Omit<DataOf<'ExchangeOrderCreated'>, 'orderId' | 'at'>;

/** How far the order is on its way to the partner. `since` is an RFC 3339 UTC instant, attempts count from 1. */
export type Placing =
  | { readonly step: 'requested' }
  /** The partner is being asked, or a process has died doing so. */
  | { readonly step: 'calling'; readonly attempt: number; readonly since: string }
  /** It was not asked, or has done nothing. */
  | { readonly step: 'call_failed'; readonly attempt: number; readonly retryAt: string }
  /** It may have the order, or not. */
  | { readonly step: 'outcome_unknown'; readonly attempt: number; readonly since: string }
  | { readonly step: 'placed' }
  | {
      readonly step: 'rejected';
      readonly reason: DataOf<'ExchangeOrderRejected'>['reason'];
      readonly message: string;
    }
  | { readonly step: 'abandoned'; readonly reason: DataOf<'ExchangeOrderAbandoned'>['reason'] };

export interface ExchangeOrder extends ExchangeOrderRequest {
  readonly createdAt: string;
  /** Of the last event. */
  readonly updatedAt: string;
  readonly placing: Placing;
  /** When the partner was asked for the first time; null before. */
  readonly firstCallAt: string | null;
  /** Calls whose answer was lost. */
  readonly lostAnswers: number;
  /** Null until the order is placed. */
  readonly placed: PlacedOrder | null;
  /** As shown: that of the partner, unless the user has closed the order; `new` until the order is placed. */
  readonly status: ExchangeOrderStatus;
  readonly partnerStatus: PartnerStatus;
  /** Since when the partner has been at `partnerStatus`. */
  readonly statusSince: string;
  readonly progress: ExchangeProgress;
  /** Whether a payment was seen. */
  readonly isPaid: boolean;
  readonly isExpiryPassed: boolean;
  readonly isCommissionEarned: boolean;
  /** What the partner said that could not follow, since its status is what it is. */
  readonly anomalies: readonly string[];
}

/** Whether the order is still on its way to the partner. */
export function isPlacing({ placing: { step } }: Pick<ExchangeOrder, 'placing'>): boolean {
  return step !== 'placed' && step !== 'rejected' && step !== 'abandoned';
}

/** Who has asked for an order, as far as shares of what all use are concerned. */
export function callerOf({ source }: Pick<ExchangeOrderRequest, 'source'>): string {
  return source ?? 'unknown';
}

/** What is known once `progress` was read: nothing that was known becomes unknown. */
export function mergeProgress(known: ExchangeProgress, progress: ExchangeProgress): ExchangeProgress {
  const read = Object.entries(progress).filter(([, value]) => value !== null);
  return { ...known, ...Object.fromEntries(read) };
}

export function evolve(state: ExchangeOrder | null, event: ExchangeOrderEvent): ExchangeOrder | null {
  if (event.type === 'ExchangeOrderRequested') {
    const { at, ...request } = event.data;
    return {
      ...request,
      createdAt: at,
      updatedAt: at,
      placing: { step: 'requested' },
      firstCallAt: null,
      lostAnswers: 0,
      placed: null,
      status: 'new',
      partnerStatus: 'new',
      statusSince: at,
      progress: NO_PROGRESS,
      isPaid: false,
      isExpiryPassed: false,
      isCommissionEarned: false,
      anomalies: [],
    };
  }
  if (event.type === 'ExchangeOrderRemoved') return null;
  return state && { ...state, ...changes(state, event), updatedAt: event.data.at };
}

type Change = Exclude<ExchangeOrderEvent, { type: 'ExchangeOrderRequested' | 'ExchangeOrderRemoved' }>;

function changes(state: ExchangeOrder, { type, data }: Change): Partial<ExchangeOrder> {
  const { at } = data;
  switch (type) {
    case 'ExchangePartnerCallStarted':
      return {
        placing: { step: 'calling', attempt: data.attempt, since: at },
        firstCallAt: state.firstCallAt ?? at,
      };
    case 'ExchangePartnerCallFailed':
      return { placing: { step: 'call_failed', attempt: data.attempt, retryAt: data.retryAt } };
    case 'ExchangeOrderOutcomeUnknown':
      return {
        placing: { step: 'outcome_unknown', attempt: data.attempt, since: at },
        lostAnswers: state.lostAnswers + 1,
      };
    case 'ExchangeOrderRejected':
      return { placing: { step: 'rejected', reason: data.reason, message: data.message } };
    case 'ExchangeOrderAbandoned':
      return { placing: { step: 'abandoned', reason: data.reason } };
    case 'ExchangeOrderCreated':
    case 'ExchangeOrderAdopted': {
      const { orderId: _, at: __, ...placed } = data;
      return { placing: { step: 'placed' }, placed, statusSince: at, progress: placed.progress };
    }
    case 'ExchangeOrderStatusObserved':
      return {
        status: data.shown,
        partnerStatus: data.to as PartnerStatus,
        statusSince: at,
        progress: data.progress,
        isPaid: state.isPaid || isPaidStatus(data.to),
        anomalies: [],
      };
    case 'ExchangeOrderProgressObserved':
      return { progress: data.progress };
    case 'ExchangePayinSeen':
      return {
        isPaid: true,
        progress: mergeProgress(state.progress, { ...NO_PROGRESS, payinHash: data.hash }),
      };
    case 'ExchangePayoutSent':
      return { progress: mergeProgress(state.progress, { ...NO_PROGRESS, payoutHash: data.hash }) };
    case 'ExchangeOrderExpiryPassed':
      return { isExpiryPassed: true };
    case 'ExchangeOrderResolved':
      return { status: 'resolved' };
    case 'ExchangeOrderAnomalyObserved':
      return { anomalies: [...state.anomalies, data.observed] };
    case 'ExchangeCommissionEarned':
      return { isCommissionEarned: true };
  }
}
