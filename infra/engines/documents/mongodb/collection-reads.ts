import type { Db, ReadPreferenceMode } from 'mongodb';
import {
  type Document,
  type Documents,
  type Query,
  type Scalar,
  UnanswerableQuery,
} from '../../../../contracts/ports/documents';
import { findByIds } from '../../mongodb/reads';
import type { Collection } from '../collection';
import { scanPages } from '../pagination';
import type { Catalog } from './catalog';
import { countOf } from './counters';
import { findPage } from './find';
import { fromStored, type StoredDocument } from './stored-document';

/** Runs a read within its limits. */
export type RunRead = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Reads of one collection each.
 * @param preference where pages are read, by `readPage`
 */
export function createCollectionReads(
  db: Db,
  catalog: Catalog,
  { read, readPage, preference }: { read: RunRead; readPage: RunRead; preference: ReadPreferenceMode },
): Pick<Documents, 'get' | 'getMany' | 'find' | 'scan' | 'count' | 'sum'> {
  /**
   * The cached catalog may be out of date: it is read again when it cannot answer the query, and when there is nothing, since the
   * collection may have been dropped.
   */
  const answer = async <Result>(
    name: string,
    query: (collection: Collection) => Promise<Result>,
    isEmpty: (result: Result) => boolean,
  ): Promise<Result> => {
    const cached = await catalog.cached(name);
    try {
      const result = await query(cached);
      if (isEmpty(result)) await catalog.fresh(name);
      return result;
    } catch (error) {
      if (!(error instanceof UnanswerableQuery)) throw error;
      return query(await catalog.fresh(name));
    }
  };

  const counted = (name: string, sumOf: string | null, equals: Readonly<Record<string, Scalar>> = {}) => {
    const count = (collection: Collection) => countOf(db, collection, equals, sumOf);
    return read(() => answer(name, count, result => result === 0));
  };

  const getMany = <D extends Document>(name: string, ids: readonly string[]): Promise<Map<string, D>> => {
    const find = async () => {
      const found = await findByIds<StoredDocument>(db, name, ids);
      return new Map(Array.from(found, ([id, stored]) => [id, fromStored<D>(stored)]));
    };
    return read(() => answer(name, find, ({ size }) => size === 0));
  };

  const find = <D extends Document>(name: string, query: Query) => {
    const page = (collection: Collection) => findPage<D>(db, collection, query, preference);
    return readPage(() => answer(name, page, ({ documents }) => documents.length === 0));
  };

  return {
    get: async <D extends Document>(name: string, id: string) =>
      (await getMany<D>(name, [id])).get(id) ?? null,
    getMany,
    find,
    scan: (name, query) => scanPages(find, name, query),
    count: (name, equals) => counted(name, null, equals),
    sum: counted,
  };
}
