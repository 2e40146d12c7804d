import { MERCHANT_CATEGORY, merchantEvents, merchantStream } from '../../../contracts/events/merchant';
import type { EventStore } from '../../../contracts/ports/event-store';
import { load } from '../load';
import { onceEach } from '../once';
import { merchantDecider, merchantKind, type Merchant } from './decider';

/** Tells how a merchant is named now; null when nobody has named it. */
export type MerchantOf = (merchantId: string) => Promise<Merchant | null>;

export function createMerchantOf(store: Pick<EventStore, 'readStream'>): MerchantOf {
  return onceEach(merchantId => load(store, merchantKind, merchantStream(merchantId)));
}

/** Every merchant that was named, by id. From the events, so that it is right also while no projection runs. */
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
