import { isDeepStrictEqual } from 'node:util';
import type { Db, FindOptions } from 'mongodb';
import {
  type Document,
  type Page,
  type Query,
  type Scalar,
  UnanswerableQuery,
} from '../../../../contracts/ports/documents';
import type { Catalog, Collection } from './catalog';
import { countOf } from './counters';
import { findPage } from './find';
import { fromStored, type StoredDocument } from './stored-document';

/** Reads of one collection each. @throws UnknownCollection, UnanswerableQuery */
export interface CollectionReads {
  getMany<D extends Document>(name: string, ids: readonly string[]): Promise<Map<string, D>>;
  find<D extends Document>(name: string, query: Query): Promise<Page<D>>;
  count(name: string, equals: Readonly<Record<string, Scalar>>): Promise<number>;
}

/** Of one query. */
export const MAX_IDS = 1_000;

/** @param preference where pages are read */
export function createCollectionReads({
  db,
  catalog,
  preference,
}: {
  readonly db: Db;
  readonly catalog: Catalog;
  readonly preference: 'primary' | 'secondaryPreferred';
}): CollectionReads {
  /** The cached catalog may be out of date: it is refreshed when it cannot answer the query. */
  const withCollection = async <Result>(
    name: string,
    query: (collection: Collection) => Promise<Result>,
  ): Promise<Result> => {
    const cached = await catalog.cached(name);
    try {
      return await query(cached);
    } catch (error) {
      if (!(error instanceof UnanswerableQuery)) throw error;
      const fresh = (await catalog.fresh([name])).get(name)!;
      if (isDeepStrictEqual(cached, fresh)) throw error;
      return query(fresh);
    }
  };

  /** An empty result may mean that the collection was dropped. */
  const checkDropped = async <Result>(name: string, isEmpty: boolean, result: Result): Promise<Result> => {
    if (isEmpty) await catalog.fresh([name]);
    return result;
  };

  return {
    async getMany<D extends Document>(name: string, ids: readonly string[]) {
      await catalog.cached(name);
      const found = await findByIds<D>(db, name, ids);
      return checkDropped(name, found.size === 0, found);
    },
    async find<D extends Document>(name: string, query: Query) {
      const page = await withCollection(name, collection => findPage<D>(db, collection, query, preference));
      return checkDropped(name, page.documents.length === 0, page);
    },
    async count(name, equals) {
      const count = await withCollection(name, collection => countOf(db, collection, equals));
      return checkDropped(name, count === 0, count);
    },
  };
}

/** By their ids. @param options such as the transaction in which they are read, and the fields that are */
export async function findByIds<D extends Document>(
  db: Db,
  name: string,
  ids: readonly string[],
  options: Pick<FindOptions, 'projection' | 'session'> = {},
): Promise<Map<string, D>> {
  const found = new Map<string, D>();
  for (let i = 0; i < ids.length; i += MAX_IDS) {
    const filter = { _id: { $in: ids.slice(i, i + MAX_IDS) } };
    const page = db.collection<StoredDocument>(name).find(filter, { ...options, batchSize: MAX_IDS });
    for await (const stored of page) {
      const document = fromStored<D>(stored);
      found.set(document._id, document);
    }
  }
  return found;
}
