import type { Database } from '../../sqlite/database';
import { decodeCursor, encodeCursor, shapeOf } from '../cursor';
import { planOf } from '../plan';
import type { Document, Page, Query } from '../port';
import { fieldOf } from '../scalars';
import { slicesOf } from '../slices';
import type { Collection } from './catalog';
import { selectSql } from './select';

/**
 * One page. With a cursor `skip` has done its work on the first page.
 * @throws UnanswerableQuery, InvalidCursor
 */
export const findPage = <D extends Document>(
  db: Database,
  { name, indexes }: Collection,
  query: Query,
): Page<D> => {
  const plan = planOf(query, indexes);
  const fields = plan.order.map(([field]) => field);
  const { limit, cursor, skip = 0 } = query;
  const place = cursor === undefined ? undefined : decodeCursor(shapeOf(name, query), fields, cursor);

  const bodies: string[] = [];
  for (const slice of slicesOf(plan, place)) {
    const left = limit + 1 - bodies.length;
    const sql = selectSql(name, plan, slice, left, place ? 0 : skip);
    if (sql)
      bodies.push(
        ...db
          .prepare<[string]>(sql.text)
          .all(sql.parameters)
          .map(([body]) => body),
      );
    if (bodies.length > limit) break;
  }
  const documents = bodies.slice(0, limit).map(body => JSON.parse(body) as D);
  const last = documents.at(-1);
  const next =
    last && bodies.length > limit
      ? encodeCursor(
          shapeOf(name, query),
          fields.map(field => fieldOf(last, field)),
        )
      : null;
  return { documents, next };
};
