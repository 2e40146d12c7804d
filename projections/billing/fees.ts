import { FEE_CATEGORY, feeEvents } from '../../contracts/events/fee';
import type { EventProjection } from '../projection';
import { FEE_LEDGER, foldFee } from './fee-ledger';
import {
  bucketsOf,
  foldMerchant,
  foldTotal,
  REVENUE_BY_MERCHANT,
  REVENUE_TOTALS,
  type MerchantBucket,
  type TotalBucket,
} from './revenue-buckets';

/** The fee ledger and its sums: one projection, so that rows and sums are committed together. */
export const feesProjection: EventProjection = {
  name: 'fees',
  version: 1,
  categories: [FEE_CATEGORY],
  collections: [FEE_LEDGER, REVENUE_TOTALS, REVENUE_BY_MERCHANT],

  touches(recorded) {
    const event = feeEvents.read(recorded);
    return [{ collection: FEE_LEDGER.name, id: event.data.id }, ...bucketsOf(event)];
  },

  fold(document, recorded, { collection, id }) {
    const event = feeEvents.read(recorded);
    if (collection === FEE_LEDGER.name) return foldFee(event);
    return collection === REVENUE_TOTALS.name
      ? foldTotal(document as TotalBucket | null, event, id)
      : foldMerchant(document as MerchantBucket | null, event, recorded.position, id);
  },
};
