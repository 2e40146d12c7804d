import { shareOf, type Bound } from '../../../../contracts/bound';
import { UNPAID_FOR_WALLET, UNPAID_OF_ALL } from '../../../../services/exchange/order/unpaid-orders';

/** Requests for an order that wait for the partner, of one process. */
export const MAX_WAITING = 1_000;

/** What callers of the exchange can use up. */
export const exchangeBounds: readonly Bound[] = [
  {
    of: 'requests that wait for the exchange partner: estimates, orders and refreshes, each for themselves',
    owner: 'all who exchange',
    max: 'five seconds of `EXCHANGE_REQUESTS_PER_SECOND`, which bounds what the whole installation asks of the partner',
    share:
      'callers take turns, and estimates with orders; what follows orders has one every 2.5 seconds at least',
    beyond: 'the newest of the caller that has most: 503 `exchange_unavailable`; an order is tried again',
    attack: {
      file: 'test/exchange/strangers.test.ts',
      test: 'orders of strangers keep nobody from an estimate or an order',
    },
  },
  {
    of: 'requests for an exchange order that wait until it is placed',
    owner: 'all who order',
    max: String(MAX_WAITING),
    share: String(shareOf(MAX_WAITING)),
    beyond:
      'answered at once, 503 `exchange_order_pending`; a caller with fewer replaces the newest wait of the caller that has most; the order is placed all the same',
    attack: {
      file: 'services/exchange/order/create.test.ts',
      test: 'a stranger waits for a quarter of the orders that may be waited for, and an honest request is answered',
    },
  },
  UNPAID_FOR_WALLET,
  UNPAID_OF_ALL,
];
