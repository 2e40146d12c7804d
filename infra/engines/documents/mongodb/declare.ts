import type { Collection as MongoCollection, Db } from 'mongodb';
import type { CollectionSpec, DeclareOptions, IndexSpec } from '../../../../contracts/ports/documents';
import { documentIn } from '../body';
import { fieldsOf, sameFields, sameIndex } from '../collection-spec';
import type { Catalog } from './catalog';
import { countAll } from './counters';
import { indexKeys, indexKeysOf, pathOf, type StoredDocument } from './stored-document';

const PAGE = 1_000;

/** Stores a new field beside existing bodies. Concurrent writers already know the field from the catalog. */
const backfill = async (documents: MongoCollection<StoredDocument>, field: string): Promise<void> => {
  const path = pathOf(field);
  const missing = { [path]: { $exists: false }, body: { $exists: true } };
  for (;;) {
    const page = await documents.find(missing).limit(PAGE).toArray();
    if (page.length === 0) return;
    await documents.bulkWrite(
      page.map(({ _id, commit, body }) => {
        const [value] = Object.values(indexKeysOf(documentIn(body!), [field]));
        return { updateOne: { filter: { _id, commit }, update: { $set: { [path]: value } } } };
      }),
      { ordered: false },
    );
  }
};

const build = async (documents: MongoCollection<StoredDocument>, spec: IndexSpec): Promise<void> => {
  await documents.createIndex(indexKeys(spec));
  if (!spec.unique) return;
  const keys = spec.fields.map(
    ([field, direction]) => [pathOf(field), direction === 'asc' ? 1 : -1] as const,
  );
  await documents.createIndex(Object.fromEntries(keys), { unique: true });
};

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

  let added: readonly string[] = [];
  let current = await catalog.change(name, known => {
    added = known ? fields.filter(field => !known.fields.includes(field)) : [];
    if (!known) return { name, fields, indexes: [], counts: [] };
    return added.length === 0 ? known : { ...known, fields: [...known.fields, ...added] };
  });
  for (const field of added) await backfill(documents, field);
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
