import { MERCHANT_CATEGORY, merchantEvents, merchantStream } from '../../../contracts/events/merchant';
import type { EventStore } from '../../../contracts/ports/event-store';
import { load } from '../load';
import { memoize } from '../memoize';
import { merchantDecider, merchantKind, type Merchant } from './decider';

/** The current name of a merchant; null when none was set. */
export type MerchantLookup = (merchantId: string) => Promise<Merchant | null>;

export function createMerchantLookup(store: Pick<EventStore, 'readStream'>): MerchantLookup {
  return memoize(merchantId => load(store, merchantKind, merchantStream(merchantId)));
}

/** All named merchants, ordered by id. From the events, so that it works while no projection runs. */
export async function listMerchants(store: Pick<EventStore, 'readAll'>): Promise<Merchant[]> {
  const merchants = new Map<string, Merchant | null>();
  for await (const page of store.readAll({ categories: [MERCHANT_CATEGORY] }))
    for (const recorded of page) {
      const event = merchantEvents.read(recorded);
      const id = event.data.merchant_id;
      merchants.set(id, merchantDecider.evolve(merchants.get(id) ?? null, event));
    }
  return [...merchants.values()]
    .filter(merchant => merchant !== null)
    .sort((a, b) => (a.merchant_id < b.merchant_id ? -1 : 1));
}
