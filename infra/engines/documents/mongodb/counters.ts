import { createHash } from 'node:crypto';
import type { AnyBulkWriteOperation, Collection as MongoCollection, Db } from 'mongodb';
import { type Scalar, UnanswerableQuery } from '../../../../contracts/ports/documents';
import { isScalar } from '../scalars';
import { sameFields } from '../specs';
import type { Collection } from './catalog';
import { COUNTERS, keyIn, type Keys, pathOf } from './layout';

/**
 * A count, kept apart for each lane of commits: those of one lane come one after the other, so the number of the last
 * one tells whether a change was counted already.
 */
interface Counter {
  readonly _id: string;
  readonly collection: string;
  readonly fields: string;
  readonly n: number;
  readonly documents: number;
}

/** By how much a commit changes a counter. */
export interface Tally {
  readonly id: string;
  readonly collection: string;
  readonly fields: string;
  readonly by: number;
}

const counterId = (collection: string, fields: string, values: readonly Scalar[]): string =>
  createHash('sha256')
    .update(JSON.stringify([collection, fields, values]))
    .digest('base64url');

const countersOf = (db: Db): MongoCollection<Counter> => db.collection(COUNTERS);

export async function layOutCounters(db: Db): Promise<void> {
  await countersOf(db).createIndex({ collection: 1 });
}

/** @param images the keys of each document before and after; null where there is none */
export function talliesOf(
  { name, counts }: Collection,
  lane: string,
  images: readonly (readonly [before: Keys | null, after: Keys | null])[],
): Tally[] {
  const tallies = new Map<string, { collection: string; fields: string; by: number }>();
  for (const set of counts) {
    const fields = JSON.stringify(set);
    const add = (keys: Keys | null, by: number): void => {
      if (!keys) return;
      const values = set.map(field => keyIn(keys, field));
      const id = `${counterId(name, fields, values)}/${lane}`;
      const tally = tallies.get(id) ?? { collection: name, fields, by: 0 };
      tally.by += by;
      tallies.set(id, tally);
    };
    for (const [before, after] of images) {
      add(before, -1);
      add(after, 1);
    }
  }
  return [...tallies].filter(([, { by }]) => by !== 0).map(([id, tally]) => ({ id, ...tally }));
}

export function countingOf(n: number, { id, collection, fields, by }: Tally): AnyBulkWriteOperation<Counter> {
  return {
    updateOne: {
      filter: { _id: id, n: { $lt: n } },
      update: { $inc: { documents: by }, $set: { n }, $setOnInsert: { collection, fields } },
      upsert: true,
    },
  };
}

const PAGE = 1_000;

/** Counts what is there. */
export async function countAll(db: Db, collection: string, set: readonly string[]): Promise<void> {
  const fields = JSON.stringify(set);
  const counters = countersOf(db);
  await counters.deleteMany({ collection, fields });
  const group = Object.fromEntries(set.map((field, i) => [`v${i}`, `$${pathOf(field)}`]));
  const groups = db
    .collection(collection)
    .aggregate<{ _id: Record<string, Scalar> | null; documents: number }>(
      [
        { $match: { body: { $exists: true } } },
        { $group: { _id: set.length === 0 ? null : group, documents: { $sum: 1 } } },
      ],
      { allowDiskUse: true },
    );
  let page: Counter[] = [];
  for await (const { _id: values, documents } of groups) {
    const key = set.map((_, i) => values?.[`v${i}`] ?? null);
    page.push({ _id: `${counterId(collection, fields, key)}/`, collection, fields, n: 0, documents });
    if (page.length < PAGE) continue;
    await counters.insertMany(page);
    page = [];
  }
  if (page.length > 0) await counters.insertMany(page);
}

export async function forgetCounters(db: Db, collection: string): Promise<void> {
  await countersOf(db).deleteMany({ collection });
}

/** @throws UnanswerableQuery when these fields are not counted */
export async function countOf(
  db: Db,
  { name, counts }: Collection,
  equals: Readonly<Record<string, Scalar>>,
): Promise<number> {
  const set = Object.keys(equals).sort();
  if (!Object.values(equals).every(isScalar)) throw new UnanswerableQuery('only scalars are counted by');
  if (!counts.some(counted => sameFields(counted, set)))
    throw new UnanswerableQuery(`collection ${name} does not count (${set.join(', ')})`);
  const values = set.map(field => equals[field]!);
  const id = counterId(name, JSON.stringify(set), values);
  // One for each lane: '0' follows '/'.
  const lanes = await countersOf(db)
    .find({ _id: { $gte: `${id}/`, $lt: `${id}0` } }, { projection: { documents: 1 } })
    .toArray();
  return lanes.reduce((sum, { documents }) => sum + documents, 0);
}
