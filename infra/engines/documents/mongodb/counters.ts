import { hash } from 'node:crypto';
import type { ClientSession, Collection as MongoCollection, Db } from 'mongodb';
import type { Counted, Document, Scalar } from '../../../../contracts/ports/documents';
import type { Fenced } from '../../mongodb/exclusively';
import { pagesOf } from '../../mongodb/reads';
import type { Collection } from '../collection';
import { countedBy, partsOf } from '../collection-spec';
import { fieldOf } from '../scalars';
import { COUNTERS } from './stored-document';

/** A count has one counter for each writer, which is a checkpoint, so that commits of different writers do not wait for each other. */
interface Counter {
  /** The collection, what is counted, the values that it is counted by, and the writer. */
  readonly _id: string;
  /** How many, or the sum; of a change, by how much. */
  readonly documents: number;
}

/** Of one transaction. */
const PAGE = 10_000;

const hashOf = (what: Counted | readonly Scalar[]): string =>
  hash('sha256', JSON.stringify(what), 'base64url');

const pathOf = (collection: string, counted: Counted): string => `${collection}/${hashOf(counted)}`;

/** '0' is the character after '/'. */
const below = (path: string) => ({ _id: { $gte: `${path}/`, $lt: `${path}0` } });

const countersOf = (db: Db): MongoCollection<Counter> => db.collection(COUNTERS);

/** How a commit changes the counters, with what it replaces or deletes as it was `before`, and what it writes. */
export function counterChangesOf(
  { name, counts }: Collection,
  writer: string,
  before: readonly Document[],
  after: readonly Document[],
): Counter[] {
  const changes = new Map<string, number>();
  for (const counted of counts) {
    const { by, sumOf } = partsOf(counted);
    const path = pathOf(name, counted);
    const add = (document: Document, sign: 1 | -1): void => {
      const id = `${path}/${hashOf(by.map(field => fieldOf(document, field)))}/${writer}`;
      const amount = sumOf === null ? 1 : Number(fieldOf(document, sumOf));
      changes.set(id, (changes.get(id) ?? 0) + sign * amount);
    };
    for (const document of before) add(document, -1);
    for (const document of after) add(document, 1);
  }
  const counters = Array.from(changes, ([_id, documents]) => ({ _id, documents }));
  return counters.filter(({ documents }) => documents !== 0);
}

export async function changeCounters(
  db: Db,
  changes: readonly Counter[],
  session: ClientSession,
): Promise<void> {
  if (changes.length === 0) return;
  const operations = changes.map(({ _id, documents }) => ({
    updateOne: { filter: { _id }, update: { $inc: { documents } }, upsert: true },
  }));
  await countersOf(db).bulkWrite(operations, { ordered: false, session });
}

/** Counts the existing documents. */
export async function countAll(db: Db, collection: string, counted: Counted, fenced: Fenced): Promise<void> {
  const path = pathOf(collection, counted);
  const counters = countersOf(db);
  for await (const page of pagesOf(counters.find(below(path), { batchSize: PAGE }))) {
    const ids = page.map(({ _id }) => _id);
    await fenced(session => counters.deleteMany({ _id: { $in: ids } }, { session }));
  }
  const { by, sumOf } = partsOf(counted);
  const $group = {
    _id: Object.fromEntries(by.map((field, i) => [`v${i}`, { $ifNull: [`$${field}`, null] }])),
    documents: { $sum: sumOf === null ? 1 : `$${sumOf}` },
  };
  const groups = db
    .collection(collection)
    .aggregate<{ _id: Record<string, Scalar>; documents: number }>([{ $group }], {
      allowDiskUse: true,
      batchSize: PAGE,
    });
  for await (const page of pagesOf(groups)) {
    const found = page.map(({ _id: values, documents }) => {
      return { _id: `${path}/${hashOf(Object.values(values))}/`, documents };
    });
    await fenced(session => counters.insertMany(found, { session }));
  }
}

export async function deleteCounters(db: Db, collection: string): Promise<void> {
  await countersOf(db).deleteMany(below(collection));
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
  const ofAllWriters = below(`${pathOf(collection.name, counted)}/${hashOf(values)}`);
  const counters = await countersOf(db).find(ofAllWriters).toArray();
  return counters.reduce((sum, { documents }) => sum + documents, 0);
}
