import { DamagedData } from '../../../contracts/engine/damaged-data';
import type { Document, Documents, IndexSpec, Page, Query } from '../../../contracts/ports/documents';
import { decodeCursor, encodeCursor, queryFingerprint } from './cursor';
import { type IndexRange, rangesAfter } from './index-ranges';
import { planQuery, type QueryPlan } from './query-plan';
import { fieldOf } from './scalars';

/** What an adapter has to read for one page. */
export interface PageRequest {
  readonly plan: QueryPlan;
  /** To be read in order until there is one document more than the page holds. */
  readonly ranges: readonly IndexRange[];
  /** Documents to skip at the start; 0 with a cursor, since the first page has skipped them. */
  readonly skip: number;
  page<D extends Document>(found: readonly D[]): Page<D>;
}

/** @throws UnanswerableQuery, InvalidCursor */
export function paginate(collection: string, indexes: readonly IndexSpec[], query: Query): PageRequest {
  const plan = planQuery(query, indexes);
  const fingerprint = queryFingerprint(collection, query);
  const fields = plan.order.map(([field]) => field);
  const { limit, cursor, skip = 0 } = query;
  const key = cursor === undefined ? undefined : decodeCursor(fingerprint, fields, cursor);
  return {
    plan,
    ranges: rangesAfter(plan, key),
    skip: key ? 0 : skip,
    page<D extends Document>(found: readonly D[]): Page<D> {
      const documents = found.slice(0, limit);
      const last = documents.at(-1);
      if (!last || found.length <= limit) return { documents, next: null };
      const lastKey = fields.map(field => fieldOf(last, field));
      return { documents, next: encodeCursor(fingerprint, lastKey) };
    },
  };
}

/**
 * Reads all pages of a query.
 * @throws DamagedData when a cursor comes again, since an index is out of order. By Brent's algorithm: each cursor is compared
 * with one before it, which is replaced after 1, 2, 4, ... pages.
 */
export async function* scanPages<D extends Document>(
  find: Documents['find'],
  collection: string,
  query: Query,
): AsyncGenerator<readonly D[]> {
  let earlier: string | undefined;
  let [pages, replaceAfter] = [0, 1];
  for (let cursor = query.cursor; ;) {
    const page = await find<D>(collection, cursor === undefined ? query : { ...query, cursor });
    if (page.documents.length > 0) yield page.documents;
    if (page.next === null) return;
    if (page.next === earlier) throw new DamagedData('documents', `an index of ${collection}`);
    cursor = page.next;
    if (++pages === replaceAfter) [earlier, pages, replaceAfter] = [cursor, 0, 2 * replaceAfter];
  }
}
