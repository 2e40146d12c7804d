import type { Database } from '../../sqlite/database';
import { pagingOf } from '../paging';
import type { Document, Page, Query } from '../../../../contracts/ports/documents';
import type { Collection } from './catalog';
import { selectSql } from './select';

/** One page. @throws UnanswerableQuery, InvalidCursor */
export function findPage<D extends Document>(
  db: Database,
  { name, indexes }: Collection,
  query: Query,
): Page<D> {
  const { plan, slices, skip, page } = pagingOf(name, indexes, query);
  const bodies: string[] = [];
  for (const slice of slices) {
    const sql = selectSql(name, plan, slice, query.limit + 1 - bodies.length, skip);
    if (sql)
      bodies.push(
        ...db
          .prepare<[string]>(sql.text)
          .all(sql.parameters)
          .map(([body]) => body),
      );
    if (bodies.length > query.limit) break;
  }
  return page(bodies);
}
