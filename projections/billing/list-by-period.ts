import type { CollectionSpec, Document, Query, Scalar } from '../../contracts/ports/documents';
import type { Views } from '../views';

export interface Paging {
  readonly page: number;
  readonly pageSize: number;
}

/**
 * A page of documents of a billing period, newest period and newest document first, and the number of matching ones. A
 * page past the end is empty.
 * @param statuses all statuses: every index has the status before the period, and a list of all statuses merges them
 * @param ties orders documents of the same time; default: by id
 * @param filter undefined members are ignored
 */
export async function listByPeriod<D extends Document>(
  views: Views,
  { name }: CollectionSpec,
  statuses: readonly string[],
  filter: Readonly<Record<string, Scalar | undefined>>,
  { page, pageSize }: Paging,
  ties: NonNullable<Query['order']> = [],
): Promise<{ readonly documents: readonly D[]; readonly total: number }> {
  const given = Object.fromEntries(
    Object.entries(filter).filter((entry): entry is [string, Scalar] => entry[1] !== undefined),
  );
  const total = await views.count(name, given);
  const skip = (page - 1) * pageSize;
  if (skip >= total) return { documents: [], total };
  const { documents } = await views.find<D>(name, {
    filter: { status: { in: statuses }, ...given },
    order: [['billingPeriod', 'desc'], ['createdAt', 'desc'], ...ties],
    limit: pageSize,
    skip,
  });
  return { documents, total };
}
