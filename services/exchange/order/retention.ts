import { EXCHANGE_ORDER_CATEGORY } from '../../../contracts/events/exchange-order';
import { EXCHANGE_PARTNER_ORDER_CATEGORY } from '../../../contracts/events/exchange-partner-order';
import { removeByDecider, type Retention } from '../../retention/retention';
import { exchangeOrderKind } from './decider';

/** Those that were paid stay: their commissions are fees of the ledger. */
export const EXCHANGE_ORDER_RETENTION: Retention = {
  name: 'exchange_order',
  of: 'exchange orders that nobody has paid',
  category: EXCHANGE_ORDER_CATEGORY,
  days: 90,
  hasNoDocument: ({ type }) => type === 'ExchangeOrderRemoved',
  remove: removeByDecider(exchangeOrderKind),
};

/** Only orders that are looked for at the partner depend on it, within an hour of their request. */
export const EXCHANGE_CLAIM_RETENTION: Retention = {
  name: 'exchange_claim',
  of: 'which order of the partner is which of ours, so long after it was made',
  category: EXCHANGE_PARTNER_ORDER_CATEGORY,
  days: 90,
  hasNoDocument: () => true,
};
