import { hash } from 'node:crypto';
import type { AbstractCursor, ClientSession, Collection as MongoCollection, Db } from 'mongodb';
import type { Counted, Document, Scalar } from '../../../../contracts/ports/documents';
import type { Collection } from '../collection';
import { countedBy, partsOf } from '../collection-spec';
import { fieldOf } from '../scalars';
import type { Fenced } from './exclusively';
import { COUNTERS } from './stored-document';

/** A count has one counter for each writer, which is a checkpoint, so that commits of different writers do not wait for each other. */
interface Counter {
  readonly _id: string;
  readonly collection: string;
  /** What it counts, as JSON. */
  readonly fields: string;
  /** How many, or the sum; of a change, by how much. */
  readonly documents: number;
}

/** Of one transaction. */
const PAGE = 10_000;

/** Of a count: the id of a counter is that, `/` and its writer. */
const countId = (collection: string, fields: string, values: readonly Scalar[]): string =>
  hash('sha256', JSON.stringify([collection, fields, values]), 'base64url');

const countersOf = (db: Db): MongoCollection<Counter> => db.collection(COUNTERS);

/** How a commit changes the counters, with what it replaces or deletes as it was `before`, and what it writes. */
export function counterChangesOf(
  { name: collection, counts }: Collection,
  writer: string,
  before: readonly Document[],
  after: readonly Document[],
): Counter[] {
  const changes = new Map<string, Counter>();
  const add = (document: Document, counted: Counted, sign: 1 | -1): void => {
    const { by, sumOf } = partsOf(counted);
    const fields = JSON.stringify(counted);
    const values = by.map(field => fieldOf(document, field));
    const _id = `${countId(collection, fields, values)}/${writer}`;
    const amount = sign * (sumOf === null ? 1 : Number(fieldOf(document, sumOf)));
    const documents = amount + (changes.get(_id)?.documents ?? 0);
    changes.set(_id, { _id, collection, fields, documents });
  };
  for (const counted of counts) {
    for (const document of before) add(document, counted, -1);
    for (const document of after) add(document, counted, 1);
  }
  return [...changes.values()].filter(({ documents }) => documents !== 0);
}

export async function changeCounters(
  db: Db,
  changes: readonly Counter[],
  session: ClientSession,
): Promise<void> {
  if (changes.length === 0) return;
  const operations = changes.map(({ _id, documents, ...what }) => ({
    updateOne: { filter: { _id }, update: { $inc: { documents }, $setOnInsert: what }, upsert: true },
  }));
  await countersOf(db).bulkWrite(operations, { ordered: false, session });
}

async function* pagesOf<Found>(cursor: AbstractCursor<Found>): AsyncGenerator<Found[]> {
  while (await cursor.hasNext()) yield cursor.readBufferedDocuments();
}

/** Counts the existing documents. */
export async function countAll(db: Db, collection: string, counted: Counted, fenced: Fenced): Promise<void> {
  const fields = JSON.stringify(counted);
  const { by, sumOf } = partsOf(counted);
  const counters = countersOf(db);
  for await (const page of pagesOf(counters.find({ collection, fields }, { batchSize: PAGE }))) {
    const ids = page.map(({ _id }) => _id);
    await fenced(session => counters.deleteMany({ _id: { $in: ids } }, { session }));
  }
  const $group = {
    _id: Object.fromEntries(by.map((field, i) => [`v${i}`, { $ifNull: [`$${field}`, null] }])),
    documents: { $sum: sumOf === null ? 1 : `$${sumOf}` },
  };
  type Group = { readonly _id: Record<string, Scalar>; readonly documents: number };
  const options = { allowDiskUse: true, batchSize: PAGE };
  const groups = db.collection(collection).aggregate<Group>([{ $group }], options);
  for await (const page of pagesOf(groups)) {
    const counts = page.map(({ _id, documents }) => {
      const id = countId(collection, fields, Object.values(_id));
      return { _id: `${id}/`, collection, fields, documents };
    });
    await fenced(session => counters.insertMany(counts, { session }));
  }
}

export async function deleteCounters(db: Db, collection: string): Promise<void> {
  await countersOf(db).deleteMany({ collection });
}

/** @param sumOf as of `countedBy` @throws UnanswerableQuery when that is not declared */
export async function countOf(
  db: Db,
  collection: Collection,
  equals: Readonly<Record<string, Scalar>>,
  sumOf: string | null,
): Promise<number> {
  const { counted, fields } = countedBy(collection, equals, sumOf);
  const values = fields.map(field => equals[field]!);
  const id = countId(collection.name, JSON.stringify(counted), values);
  // The counters of all writers: '0' is the character after '/'.
  const counters = await countersOf(db)
    .find({ _id: { $gte: `${id}/`, $lt: `${id}0` } }, { projection: { documents: 1 } })
    .toArray();
  return counters.reduce((sum, { documents }) => sum + documents, 0);
}
