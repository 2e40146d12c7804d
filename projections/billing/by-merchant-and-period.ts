import type { CollectionSpec, IndexSpec } from '../../contracts/ports/documents';

const NEWEST_FIRST: IndexSpec['fields'] = [
  ['status', 'asc'],
  ['billingPeriod', 'desc'],
  ['createdAt', 'desc'],
];

/** A collection of what a merchant has of a month, to be listed by `newestPeriods` and any choice of its filters. */
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
