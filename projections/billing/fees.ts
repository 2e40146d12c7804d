import { FEE_CATEGORY, feeEvents } from '../../contracts/events/fee';
import type { Document } from '../../contracts/ports/documents';
import type { RecordedEvent } from '../../contracts/ports/event-store';
import type { DocumentKey, EventProjection } from '../projection';
import { statusChangeOf } from './totals';
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
  version: 4,
  categories: [FEE_CATEGORY],
  collections: [FEE_LEDGER, REVENUE_TOTALS, REVENUE_BY_MERCHANT],

  touches(recorded) {
    const event = feeEvents.read(recorded);
    const { fee } = statusChangeOf(event);
    return [{ collection: FEE_LEDGER.name, id: fee.id }, ...bucketsOf(fee)];
  },

  fold: (document, recorded, key) => foldFees(document, [recorded], key),
  foldAll: foldFees,
};

function foldFees(document: Document | null, recorded: readonly RecordedEvent[], key: DocumentKey): Document {
  const events = recorded.map(each => feeEvents.read(each));
  if (key.collection === FEE_LEDGER.name) return events.reduce<Document | null>(foldFee, document)!;
  return key.collection === REVENUE_TOTALS.name
    ? foldTotal(document as TotalBucket | null, events, key.id)
    : foldMerchant(document as MerchantBucket | null, events, key.id);
}
