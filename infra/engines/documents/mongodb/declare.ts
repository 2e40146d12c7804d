import type { Collection as MongoCollection, Db } from 'mongodb';
import type { CollectionSpec, DeclareOptions, IndexSpec } from '../../../../contracts/ports/documents';
import { hasCount, hasIndex } from '../collection';
import { distinct, fieldsOf, normalized, sameCounted, sameIndex } from '../collection-spec';
import type { Catalog, CatalogEntry } from './catalog';
import { countAll } from './counters';
import { COLLECTION_EXISTS, ignoring } from './errors';
import { exclusively } from './exclusively';
import { CATALOG, indexKeys, sortKeys } from './stored-document';

/** An index of a large collection takes long: until most members of the replica set have it, but not for ever. */
export const BUILD = { commitQuorum: 'majority', maxTimeMS: 3_600_000 } as const;

export async function build(documents: Pick<MongoCollection, 'createIndex'>, spec: IndexSpec): Promise<void> {
  await documents.createIndex(indexKeys(spec), BUILD);
  if (spec.unique) await documents.createIndex(sortKeys(spec.fields), { ...BUILD, unique: true });
}

/** A transaction need not create its collections then, which would wait for other transactions. */
export async function create(db: Db, name: string): Promise<void> {
  await db.createCollection(name).catch(ignoring(COLLECTION_EXISTS));
}

/** Creates or extends a collection. Another process may be declaring the same one. */
export async function declareOne(
  db: Db,
  catalog: Catalog,
  spec: CollectionSpec,
  { deferIndexes = false }: DeclareOptions,
): Promise<void> {
  const { name } = spec;
  await create(db, name);
  await catalog.create(name);
  const built = await catalog.add(name, { fields: fieldsOf(spec) });
  if (deferIndexes) return;

  const indexes = distinct(spec.indexes, sameIndex).filter(index => !hasIndex(built, index));
  for (const index of indexes) await build(db.collection(name), index);
  if (indexes.length > 0) await catalog.add(name, { indexes });

  const counts = distinct((spec.counts ?? []).map(normalized), sameCounted);
  const uncounted = (entry: Pick<CatalogEntry, 'counts'>) =>
    counts.filter(counted => !hasCount(entry, counted));
  if (uncounted(built).length === 0) return;
  // A commit between the count and its entry in the catalog would not be counted.
  const areCounted = (entry: CatalogEntry): boolean => uncounted(entry).length === 0;
  await exclusively(db, CATALOG, name, areCounted, async (entry: CatalogEntry) => {
    for (const counted of uncounted(entry)) await countAll(db, name, counted);
    await catalog.add(name, { counts });
  });
}
