import { shareOf, type Bound } from '../../../../contracts/bound';
import { UNPAID_FOR_WALLET, UNPAID_OF_ALL } from '../../../../services/exchange/order/unpaid-orders';

/** Requests for an order that wait for the partner, of one process. */
export const MAX_WAITING = 1_000;

/** What callers of the exchange can use up. */
export const exchangeBounds: readonly Bound[] = [
  {
    of: 'requests that wait for the exchange partner',
    owner: 'all who exchange',
    max: 'as many as are sent in five seconds, with `EXCHANGE_REQUESTS_PER_SECOND`',
    share: 'no share: callers take turns',
    beyond:
      'the newest request of the caller with most is answered with 503 `exchange_unavailable`; an order is tried again',
    note: 'Estimates, orders, refreshes and what follows orders have a queue each. Estimates and orders take turns; of each queue one is sent at least every 2.5 seconds.',
    attack: {
      file: 'test/exchange/strangers.test.ts',
      test: 'orders of strangers keep nobody from an estimate or an order',
    },
  },
  {
    of: 'requests for an exchange order that wait until it is placed',
    owner: 'all who order',
    max: MAX_WAITING.toLocaleString('en'),
    share: String(shareOf(MAX_WAITING)),
    beyond:
      'answered at once with 503 `exchange_order_pending`, while the order is placed all the same; a caller with fewer gets a place of the one with most',
    attack: {
      file: 'services/exchange/order/create.test.ts',
      test: 'a stranger waits for a quarter of the orders that may be waited for, and an honest request is answered',
    },
  },
  UNPAID_FOR_WALLET,
  UNPAID_OF_ALL,
];
