import type { Collection as MongoCollection, Db } from 'mongodb';
import type { CollectionSpec, DeclareOptions, IndexSpec } from '../../../../contracts/ports/documents';
import { hasCount, hasIndex } from '../collection';
import { fieldsOf, normalized } from '../collection-spec';
import type { Catalog } from './catalog';
import { countAll } from './counters';
import { ignoring, isCollectionThere } from './errors';
import { indexKeys, sortKeys, type StoredDocument } from './stored-document';

/** An index of a large collection takes long: until most members of the replica set have it, but not for ever. */
const BUILD = { commitQuorum: 'majority', maxTimeMS: 3_600_000 } as const;

export async function build(documents: Pick<MongoCollection, 'createIndex'>, spec: IndexSpec): Promise<void> {
  await documents.createIndex(indexKeys(spec), BUILD);
  if (spec.unique) await documents.createIndex(sortKeys(spec.fields), { ...BUILD, unique: true });
}

/** A transaction need not create its collections then, which would wait for other transactions. */
export async function create(db: Db, name: string): Promise<void> {
  await db.createCollection(name).catch(ignoring(isCollectionThere));
}

/** Creates or extends a collection. Another process may be declaring the same one. */
export async function declareOne(
  db: Db,
  catalog: Catalog,
  spec: CollectionSpec,
  { deferIndexes = false }: DeclareOptions,
): Promise<void> {
  const { name, indexes, counts = [] } = spec;
  const documents = db.collection<StoredDocument>(name);

  await create(db, name);
  let built = await catalog.change(
    name,
    known => ({ ...known, fields: [...new Set([...known.fields, ...fieldsOf(spec)])] }),
    { name, fields: [], indexes: [], counts: [] },
  );
  if (deferIndexes) return;

  for (const index of indexes) {
    if (hasIndex(built, index)) continue;
    await build(documents, index);
    built = await catalog.change(name, known =>
      hasIndex(known, index) ? known : { ...known, indexes: [...known.indexes, index] },
    );
  }
  for (const count of counts.map(normalized)) {
    if (hasCount(built, count)) continue;
    await countAll(db, name, count);
    built = await catalog.change(name, known =>
      hasCount(known, count) ? known : { ...known, counts: [...known.counts, count] },
    );
  }
}
