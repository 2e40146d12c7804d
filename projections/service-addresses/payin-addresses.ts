import { parseAccountAddress } from '../../contracts/account/account-address';
import { EXCHANGE_ORDER_CATEGORY, exchangeOrderEvents } from '../../contracts/events/exchange-order';
import { accountKey } from '../../contracts/network/network';
import type { Document, Source } from '../../contracts/ports/documents';
import type { EventProjection } from '../projection';
import type { Views } from '../views';

/** An exchange order whose payment goes to an account of TON or Solana; the partner may use one for several orders. */
type PayinAddressDocument = Document & {
  /** The key of the account. */
  readonly account: string;
};

const COLLECTION = 'exchange_payin_addresses';

/**
 * The accounts to which payments of exchange orders go. They last until the order is paid out or returned, or was not paid for long: the
 * partner takes late payments, also those of an order that its user has closed.
 */
export const payinAddressesProjection: EventProjection = {
  name: 'exchange-payin-addresses',
  version: 1,
  categories: [EXCHANGE_ORDER_CATEGORY],
  collections: [{ name: COLLECTION, indexes: [{ fields: [['account', 'asc']] }] }],
  touches: recorded => [{ collection: COLLECTION, id: exchangeOrderEvents.read(recorded).data.orderId }],
  fold(document, recorded, { id }) {
    const event = exchangeOrderEvents.read(recorded);
    switch (event.type) {
      case 'ExchangeOrderCreated':
      case 'ExchangeOrderAdopted': {
        const account = parseAccountAddress(event.data.payinAddress);
        return account && ({ _id: id, account: accountKey(account) } satisfies PayinAddressDocument);
      }
      case 'ExchangeOrderStatusObserved':
        return event.data.to === 'finished' || event.data.to === 'refunded' ? null : document;
      case 'ExchangeOrderRemoved':
        return null;
      default:
        return document;
    }
  },
};

export const PAYIN_ADDRESSES_SOURCE: Source = { collection: COLLECTION };

/** Whether payments of an exchange order go to an account, by its key. */
export async function isPayinAddress(views: Pick<Views, 'find'>, account: string): Promise<boolean> {
  const { documents } = await views.find(COLLECTION, { filter: { account }, limit: 1 });
  return documents.length > 0;
}
