import { hasShareLeft, type Bound } from '../../../contracts/bound';
import type { UnpaidOrders } from '../../../projections/exchange/queries';

/** Orders that one source may ask for on one day for one wallet, without a payment. */
export const MAX_UNPAID_FOR_WALLET = 50;

export const UNPAID_FOR_WALLET: Bound = {
  of: 'unpaid exchange orders of one caller for one wallet in a day',
  owner: 'the caller; orders of others for the same wallet count as theirs',
  max: String(MAX_UNPAID_FOR_WALLET),
  share: 'all of them',
  beyond: '429 `too_many_exchange_orders`',
  attack: {
    file: 'test/exchange/strangers.test.ts',
    test: 'unpaid orders of strangers for a wallet keep it from no order of its own, and push none out of its list',
  },
};

export const UNPAID_OF_ALL: Bound = {
  of: 'unpaid exchange orders of a day',
  owner: 'all who exchange',
  max: '`MAX_UNPAID_EXCHANGE_ORDERS`',
  share: 'a quarter of what the others leave',
  beyond: '429 `too_many_exchange_orders` for a caller that has its share',
  note: 'An order takes about 6 kB on disk.',
  attack: {
    file: 'test/exchange/strangers.test.ts',
    test: 'what strangers order and never pay has a bound, in which there is room for others',
  },
};

/** Whether a caller may have none more, by the orders of all. @param max 0: there is no limit */
export function isShareUsedUp({ fromSource, ofAll }: Omit<UnpaidOrders, 'forWallet'>, max: number): boolean {
  return max > 0 && !hasShareLeft(max, ofAll, fromSource);
}
