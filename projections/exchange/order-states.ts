import type { ExchangeOrderEvent } from '../../contracts/events/exchange-order';
import type { ExchangeOrderStateDocument } from './documents';

/** The id of the state that the event of a revision has left. */
export function stateId(orderId: string, revision: number): string {
  return `${orderId}/${String(revision).padStart(8, '0')}`;
}

type Observation = Pick<ExchangeOrderStateDocument, 'kind'> &
  Partial<Pick<ExchangeOrderStateDocument, 'status' | 'observed' | 'hash' | 'by'>>;

/** What an event has to say about the states of its order; null for those that are before it, or only ours. */
export function observation({ type, data }: ExchangeOrderEvent): Observation | null {
  switch (type) {
    case 'ExchangeOrderCreated':
      return { kind: 'placed', status: 'new' };
    case 'ExchangeOrderAdopted':
      return { kind: 'adopted', status: 'new' };
    case 'ExchangeOrderStatusObserved':
      return { kind: 'status', status: data.shown, observed: data.to === data.shown ? null : data.to };
    case 'ExchangePayinSeen':
      return { kind: 'payin', hash: data.hash };
    case 'ExchangePayoutSent':
      return { kind: 'payout', hash: data.hash };
    case 'ExchangeOrderExpiryPassed':
      return { kind: 'expiry_passed' };
    case 'ExchangeOrderResolved':
      return { kind: 'resolved', status: 'resolved', by: data.by };
    case 'ExchangeOrderAnomalyObserved':
      return { kind: 'anomaly', observed: data.observed };
    default:
      return null;
  }
}
