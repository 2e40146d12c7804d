import type { Db, ReadPreferenceMode } from 'mongodb';
import { pagingOf } from '../paging';
import type { Document, Page, Query } from '../../../../contracts/ports/documents';
import type { Collection } from './catalog';
import { indexKeys, orderKeys, type Stored } from './layout';
import { filtersOf } from './select';

/** One page. @throws UnanswerableQuery, InvalidCursor */
export async function findPage<D extends Document>(
  db: Db,
  { name, indexes }: Collection,
  query: Query,
  readPreference: ReadPreferenceMode,
): Promise<Page<D>> {
  const { plan, slices, skip, page } = pagingOf(name, indexes, query);
  const bodies: string[] = [];
  for (const filter of slices.flatMap(slice => filtersOf(plan, slice))) {
    const found = db
      .collection<Stored>(name)
      .find(filter, { projection: { _id: 0, body: 1 }, readPreference, hint: indexKeys(plan.index) })
      .sort(orderKeys(plan.order))
      .skip(skip)
      .limit(query.limit + 1 - bodies.length);
    for await (const { body } of found) bodies.push(body!);
    if (bodies.length > query.limit) break;
  }
  return page(bodies);
}
