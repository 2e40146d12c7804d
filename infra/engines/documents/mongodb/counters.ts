import { createHash } from 'node:crypto';
import type { ClientSession, Collection as MongoCollection, Db } from 'mongodb';
import { type Document, type Scalar, UnanswerableQuery } from '../../../../contracts/ports/documents';
import { sameFields } from '../collection-spec';
import { fieldOf, isScalar } from '../scalars';
import type { Collection } from './catalog';
import { COUNTERS } from './stored-document';

/** A count has one counter for each writer, which is a checkpoint, so that commits of different writers do not wait for each other. */
interface Counter {
  readonly _id: string;
  readonly collection: string;
  readonly fields: string;
  readonly documents: number;
}

/** The change of a counter by a commit. */
export interface CounterChange {
  readonly id: string;
  readonly collection: string;
  readonly fields: string;
  readonly delta: number;
}

const counterId = (collection: string, fields: string, values: readonly Scalar[]): string =>
  createHash('sha256')
    .update(JSON.stringify([collection, fields, values]))
    .digest('base64url');

const countersOf = (db: Db): MongoCollection<Counter> => db.collection(COUNTERS);

export async function createCounterIndex(db: Db): Promise<void> {
  await countersOf(db).createIndex({ collection: 1 });
}

/** @param documents each before and after the commit; null where it does not exist */
export function counterChangesOf(
  { name, counts }: Collection,
  writer: string,
  documents: readonly (readonly [before: Document | null, after: Document | null])[],
): CounterChange[] {
  const changes = new Map<string, { collection: string; fields: string; delta: number }>();
  for (const set of counts) {
    const fields = JSON.stringify(set);
    const add = (document: Document | null, delta: number): void => {
      if (!document) return;
      const values = set.map(field => fieldOf(document, field));
      const id = `${counterId(name, fields, values)}/${writer}`;
      const change = changes.get(id) ?? { collection: name, fields, delta: 0 };
      change.delta += delta;
      changes.set(id, change);
    };
    for (const [before, after] of documents) {
      add(before, -1);
      add(after, 1);
    }
  }
  return [...changes].filter(([, { delta }]) => delta !== 0).map(([id, change]) => ({ id, ...change }));
}

export async function changeCounters(
  db: Db,
  changes: readonly CounterChange[],
  session: ClientSession,
): Promise<void> {
  if (changes.length === 0) return;
  await countersOf(db).bulkWrite(
    changes.map(({ id, collection, fields, delta }) => ({
      updateOne: {
        filter: { _id: id },
        update: { $inc: { documents: delta }, $setOnInsert: { collection, fields } },
        upsert: true,
      },
    })),
    { ordered: false, session },
  );
}

const PAGE = 1_000;

/** Counts the existing documents. */
export async function countAll(db: Db, collection: string, set: readonly string[]): Promise<void> {
  const fields = JSON.stringify(set);
  const counters = countersOf(db);
  await counters.deleteMany({ collection, fields });
  const group = Object.fromEntries(set.map((field, i) => [`v${i}`, { $ifNull: [`$${field}`, null] }]));
  const groups = db
    .collection(collection)
    .aggregate<{ _id: Record<string, Scalar> | null; documents: number }>(
      [{ $group: { _id: set.length === 0 ? null : group, documents: { $sum: 1 } } }],
      { allowDiskUse: true },
    );
  let page: Counter[] = [];
  for await (const { _id: values, documents } of groups) {
    const key = set.map((_, i) => values?.[`v${i}`] ?? null);
    page.push({ _id: `${counterId(collection, fields, key)}/`, collection, fields, documents });
    if (page.length < PAGE) continue;
    await counters.insertMany(page);
    page = [];
  }
  if (page.length > 0) await counters.insertMany(page);
}

export async function deleteCounters(db: Db, collection: string): Promise<void> {
  await countersOf(db).deleteMany({ collection });
}

/** @throws UnanswerableQuery when these fields are not counted */
export async function countOf(
  db: Db,
  { name, counts }: Collection,
  equals: Readonly<Record<string, Scalar>>,
): Promise<number> {
  const set = Object.keys(equals).sort();
  if (!Object.values(equals).every(isScalar)) throw new UnanswerableQuery('only scalars can be counted by');
  if (!counts.some(counted => sameFields(counted, set)))
    throw new UnanswerableQuery(`collection ${name} does not count (${set.join(', ')})`);
  const values = set.map(field => equals[field]!);
  const id = counterId(name, JSON.stringify(set), values);
  // The counters of all writers: '0' is the character after '/'.
  const counters = await countersOf(db)
    .find({ _id: { $gte: `${id}/`, $lt: `${id}0` } }, { projection: { documents: 1 } })
    .toArray();
  return counters.reduce((sum, { documents }) => sum + documents, 0);
}
