import type { Db, ReadPreferenceMode } from 'mongodb';
import { decodeCursor, encodeCursor, shapeOf } from '../cursor';
import { planOf } from '../plan';
import type { Document, Page, Query } from '../port';
import { fieldOf } from '../scalars';
import { slicesOf } from '../slices';
import type { Collection } from './catalog';
import { indexKeys, orderKeys, type Stored } from './layout';
import { filtersOf } from './select';

/**
 * One page. With a cursor `skip` has done its work on the first page.
 * @throws UnanswerableQuery, InvalidCursor
 */
export const findPage = async <D extends Document>(
  db: Db,
  { name, indexes }: Collection,
  query: Query,
  readPreference: ReadPreferenceMode,
): Promise<Page<D>> => {
  const plan = planOf(query, indexes);
  const shape = shapeOf(name, query);
  const fields = plan.order.map(([field]) => field);
  const { limit, cursor, skip = 0 } = query;
  const place = cursor === undefined ? undefined : decodeCursor(shape, fields, cursor);
  const filters = slicesOf(plan, place).flatMap(slice => filtersOf(plan, slice));

  const bodies: string[] = [];
  for (const filter of filters) {
    const found = db
      .collection<Stored>(name)
      .find(filter, { projection: { _id: 0, body: 1 }, readPreference, hint: indexKeys(plan.index) })
      .sort(orderKeys(plan.order))
      .skip(place ? 0 : skip)
      .limit(limit + 1 - bodies.length);
    for await (const { body } of found) bodies.push(body!);
    if (bodies.length > limit) break;
  }
  const documents = bodies.slice(0, limit).map(body => JSON.parse(body) as D);
  const last = documents.at(-1);
  const next =
    last && bodies.length > limit
      ? encodeCursor(
          shape,
          fields.map(field => fieldOf(last, field)),
        )
      : null;
  return { documents, next };
};
