import type { CollectionSpec, Document, Scalar } from '../../contracts/ports/documents';
import type { Views } from '../views';

export interface Paging {
  readonly page: number;
  readonly pageSize: number;
}

/**
 * A page of documents of a billing period, newest period first and newest document of it first, and how many match in
 * all. A page past the end has none.
 * @param statuses all there are: every index has the status before the period, and a list of any is the merge of them
 * @param filter what is undefined does not narrow
 */
export async function newestPeriods<D extends Document>(
  views: Views,
  { name }: CollectionSpec,
  statuses: readonly string[],
  filter: Readonly<Record<string, Scalar | undefined>>,
  { page, pageSize }: Paging,
): Promise<{ readonly documents: readonly D[]; readonly total: number }> {
  const given = Object.fromEntries(
    Object.entries(filter).filter((entry): entry is [string, Scalar] => entry[1] !== undefined),
  );
  const total = await views.count(name, given);
  const skip = (page - 1) * pageSize;
  if (skip >= total) return { documents: [], total };
  const { documents } = await views.find<D>(name, {
    filter: { status: { in: statuses }, ...given },
    order: [
      ['billingPeriod', 'desc'],
      ['createdAt', 'desc'],
    ],
    limit: pageSize,
    skip,
  });
  return { documents, total };
}
