import type { Collection as MongoCollection, Db } from 'mongodb';
import type { CollectionSpec, DeclareOptions, IndexSpec } from '../../../../contracts/ports/documents';
import { hasCount, hasIndex } from '../collection';
import { distinct, fieldsOf, normalized, sameCounted, sameIndex } from '../collection-spec';
import type { Catalog } from './catalog';
import { countAll } from './counters';
import { COLLECTION_EXISTS, ignoring } from './errors';
import { exclusively } from './exclusively';
import { CATALOG, indexKeys, sortKeys } from './stored-document';

/** An index of a large collection takes long: until most members of the replica set have it, but not for ever. */
const BUILD = { commitQuorum: 'majority', maxTimeMS: 3_600_000 } as const;

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
  const built = await catalog.change(
    name,
    known => ({ ...known, fields: [...new Set([...known.fields, ...fieldsOf(spec)])] }),
    { name, fields: [], indexes: [], counts: [] },
  );
  if (deferIndexes) return;

  for (const index of spec.indexes) if (!hasIndex(built, index)) await build(db.collection(name), index);
  await catalog.change(name, known => ({
    ...known,
    indexes: distinct([...known.indexes, ...spec.indexes], sameIndex),
  }));

  const wanted = distinct((spec.counts ?? []).map(normalized), sameCounted);
  const areCounted = async (): Promise<boolean> => {
    const known = await catalog.fresh(name);
    return wanted.every(counted => hasCount(known, counted));
  };
  // A commit between the count and its entry in the catalog would not be counted.
  await exclusively(db.collection(CATALOG), name, areCounted, async () => {
    const { counts } = await catalog.fresh(name);
    const all = distinct([...counts, ...wanted], sameCounted);
    for (const counted of all.slice(counts.length)) await countAll(db, name, counted);
    await catalog.change(name, known => ({ ...known, counts: all }));
  });
}
