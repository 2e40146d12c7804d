import { decodeCursor, encodeCursor, shapeOf } from './cursor';
import { type Plan, planOf } from './plan';
import type { Document, Documents, IndexSpec, Page, Query } from '../../../contracts/ports/documents';
import { fieldOf } from './scalars';
import { type Slice, slicesOf } from './slices';

/** What there is to read for one page, and what becomes of it. */
export interface Paging {
  readonly plan: Plan;
  /** To be read one after the other, until there is one document more than the page holds. */
  readonly slices: readonly Slice[];
  /** Documents to be left out before the first. With a cursor `skip` has done its work on the first page. */
  readonly skip: number;
  /** @param bodies as they were read, in JSON */
  page<D extends Document>(bodies: readonly string[]): Page<D>;
}

/** @throws UnanswerableQuery, InvalidCursor */
export function pagingOf(name: string, indexes: readonly IndexSpec[], query: Query): Paging {
  const plan = planOf(query, indexes);
  const shape = shapeOf(name, query);
  const fields = plan.order.map(([field]) => field);
  const { limit, cursor, skip = 0 } = query;
  const place = cursor === undefined ? undefined : decodeCursor(shape, fields, cursor);
  return {
    plan,
    slices: slicesOf(plan, place),
    skip: place ? 0 : skip,
    page<D extends Document>(bodies: readonly string[]): Page<D> {
      const documents = bodies.slice(0, limit).map(body => JSON.parse(body) as D);
      const last = documents.at(-1);
      if (!last || bodies.length <= limit) return { documents, next: null };
      const end = fields.map(field => fieldOf(last, field));
      return { documents, next: encodeCursor(shape, end) };
    },
  };
}

/** The documents of all pages of a query, page by page. */
export async function* scanBy<D extends Document>(
  find: Documents['find'],
  name: string,
  query: Query,
): AsyncGenerator<readonly D[]> {
  for (let cursor = query.cursor; ;) {
    const page = await find<D>(name, cursor === undefined ? query : { ...query, cursor });
    if (page.documents.length > 0) yield page.documents;
    if (page.next === null) return;
    cursor = page.next;
  }
}
