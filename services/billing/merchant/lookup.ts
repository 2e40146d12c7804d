import { MERCHANT_CATEGORY, merchantEvents, merchantStream } from '../../../contracts/events/merchant';
import type { EventStore } from '../../../contracts/ports/event-store';
import { lastEvents } from '../../commands/last-events';
import { load } from '../../commands/load';
import { memoize } from '../report/memoize';
import { merchantKind, type Merchant } from './decider';

/** The current name of a merchant; null when none was set. */
export type MerchantLookup = (merchantId: string) => Promise<Merchant | null>;

/** Reads each name once; for use within one command. */
export function createMerchantLookup(store: Pick<EventStore, 'readStream'>): MerchantLookup {
  return memoize(merchantId => load(store, merchantKind, merchantStream(merchantId)));
}

/** All named merchants, ordered by id. */
export async function listMerchants(store: Pick<EventStore, 'readAll'>): Promise<Merchant[]> {
  const named = await lastEvents(store, MERCHANT_CATEGORY, merchantEvents);
  return named.map(({ data }) => data).sort((a, b) => (a.merchant_id < b.merchant_id ? -1 : 1));
}
