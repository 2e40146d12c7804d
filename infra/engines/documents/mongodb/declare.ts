import type { Collection as MongoCollection, Db } from 'mongodb';
import type { CollectionSpec, DeclareOptions, IndexSpec } from '../../../../contracts/ports/documents';
import { fieldsOf, sameFields, sameIndex } from '../collection-spec';
import type { Catalog } from './catalog';
import { countAll } from './counters';
import { isCollectionThere } from './errors';
import { indexKeys, sortKeys, type StoredDocument } from './stored-document';

/** An index of a large collection takes long: until most members of the replica set have it, but not for ever. */
const BUILD = { commitQuorum: 'majority', maxTimeMS: 3_600_000 } as const;

export async function build(documents: Pick<MongoCollection, 'createIndex'>, spec: IndexSpec): Promise<void> {
  await documents.createIndex(indexKeys(spec), BUILD);
  if (spec.unique) await documents.createIndex(sortKeys(spec.fields), { ...BUILD, unique: true });
}

/** A transaction need not create its collections then, which would wait for other transactions. */
export async function create(db: Db, name: string): Promise<void> {
  await db.createCollection(name).catch((error: unknown) => {
    if (!isCollectionThere(error)) throw error;
  });
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
  const fields = fieldsOf(spec);

  await create(db, name);
  let current = await catalog.change(name, known => {
    if (!known) return { name, fields, indexes: [], counts: [] };
    const added = fields.filter(field => !known.fields.includes(field));
    return added.length === 0 ? known : { ...known, fields: [...known.fields, ...added] };
  });
  if (deferIndexes) return;

  for (const wanted of indexes) {
    if (current.indexes.some(built => sameIndex(built, wanted))) continue;
    await build(documents, wanted);
    current = await catalog.change(name, known =>
      known!.indexes.some(built => sameIndex(built, wanted))
        ? known!
        : { ...known!, indexes: [...known!.indexes, wanted] },
    );
  }
  for (const wanted of counts.map(set => [...set].sort())) {
    if (current.counts.some(built => sameFields(built, wanted))) continue;
    await countAll(db, name, wanted);
    current = await catalog.change(name, known =>
      known!.counts.some(built => sameFields(built, wanted))
        ? known!
        : { ...known!, counts: [...known!.counts, wanted] },
    );
  }
}
