import type { Position } from '../../contracts/position';
import type { CollectionSpec, Document, IndexSpec } from '../../contracts/ports/documents';

const NEWEST_FIRST: IndexSpec['fields'] = [
  ['status', 'asc'],
  ['billingPeriod', 'desc'],
  ['createdAt', 'desc'],
  ['position', 'desc'],
];

/** A document with the position of its first event, which orders those of one call: they have the same time. */
export type Positioned<D extends Document> = D & { readonly position: Position };

/** A collection with one document per merchant and month, indexed for `listByPeriod` with any filters. */
export function byMerchantAndPeriod(name: string): CollectionSpec {
  return {
    name,
    indexes: [{ fields: NEWEST_FIRST }, { fields: [['merchantId', 'asc'], ...NEWEST_FIRST] }],
    counts: [
      [],
      ['status'],
      ['billingPeriod'],
      ['merchantId'],
      ['status', 'billingPeriod'],
      ['status', 'merchantId'],
      ['billingPeriod', 'merchantId'],
      ['status', 'billingPeriod', 'merchantId'],
    ],
  };
}
