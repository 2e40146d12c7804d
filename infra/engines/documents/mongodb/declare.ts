import type { Collection as MongoCollection, Db } from 'mongodb';
import type { CollectionSpec, DeclareOptions, IndexSpec } from '../../../../contracts/ports/documents';
import { exclusively } from '../../mongodb/exclusively';
import { COLLECTION_EXISTS, ignoring } from '../../mongodb/server-errors';
import { missingParts } from '../collection';
import { fieldsOf } from '../collection-spec';
import type { Catalog, CatalogEntry } from './catalog';
import { countAll } from './counters';
import { CATALOG, indexKeys, sortKeys } from './stored-document';

/** An index of a large collection takes long: until most members of the replica set have it, but not for ever. */
export const BUILD = { commitQuorum: 'majority', maxTimeMS: 3_600_000 } as const;

export async function build(documents: MongoCollection, specs: readonly IndexSpec[]): Promise<void> {
  for (const spec of specs) {
    await documents.createIndex(indexKeys(spec), BUILD);
    if (spec.unique) await documents.createIndex(sortKeys(spec.fields), { ...BUILD, unique: true });
  }
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
  options: DeclareOptions,
): Promise<void> {
  const { name } = spec;
  const documents = db.collection(name);
  await create(db, name);
  // Nothing is committed to it before it has an entry. What was restored without one is counted below.
  const isEmpty = !(await documents.findOne());
  const { counts: counted } = missingParts(undefined, spec, options);
  await catalog.create({ name, fields: [], indexes: [], counts: isEmpty ? counted : [] });

  const entry = await catalog.add(name, { fields: fieldsOf(spec) });
  const { indexes, counts } = missingParts(entry, spec, options);
  await build(documents, indexes);
  if (indexes.length > 0) await catalog.add(name, { indexes });
  if (counts.length === 0) return;
  // A commit between the count and its entry in the catalog would not be counted.
  await exclusively<CatalogEntry>(db, CATALOG, name, async (claimed, fenced) => {
    const uncounted = missingParts(claimed, spec, options).counts;
    if (uncounted.length === 0) return;
    await endTransactions(documents);
    for (const each of uncounted) await countAll(db, name, each, fenced);
    await fenced(session => catalog.add(name, { counts: uncounted }, session));
  });
}

/**
 * Of transactions that have not seen what was written before, waits for those that have used the collection, and has the others
 * repeated: an index changes while no transaction holds the collection, and one with an older snapshot is refused there.
 */
async function endTransactions(documents: MongoCollection): Promise<void> {
  await documents.dropIndex(await documents.createIndex({ _: 1 }, BUILD));
}
