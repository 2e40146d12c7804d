import type { CollectionSpec, IndexSpec } from '../../contracts/ports/documents';

const NEWEST_FIRST: IndexSpec['fields'] = [
  ['status', 'asc'],
  ['billingPeriod', 'desc'],
  ['createdAt', 'desc'],
];

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
