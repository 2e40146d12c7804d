import type { Db } from 'mongodb';
import { DuplicateKey } from '../../../../contracts/ports/documents';
import type { Collection } from './catalog';
import { type Tally, talliesOf } from './counters';
import { type Operation, uniqueFields } from './intent';
import { keyIn, type Keys, pathOf, type Stored } from './layout';

const PAGE = 1_000;

/** The keys of documents as they are now, by id. */
const keysBefore = async (db: Db, name: string, ids: readonly string[]): Promise<Map<string, Keys>> => {
  const found = new Map<string, Keys>();
  for (let i = 0; i < ids.length; i += PAGE) {
    const page = ids.slice(i, i + PAGE);
    const filter = { _id: { $in: page }, body: { $exists: true } };
    for await (const { _id, k } of db.collection<Stored>(name).find(filter, { projection: { k: 1 } }))
      found.set(_id, k);
  }
  return found;
};

/**
 * Goes through the operations in order to see whether each value of a unique index is free when it is taken. The index
 * itself would say so too late: when the commit is written down, and half of it done.
 * @throws DuplicateKey
 */
const checkUnique = async (
  db: Db,
  { name, indexes }: Collection,
  operations: readonly Operation[],
  before: ReadonlyMap<string, Keys>,
): Promise<void> => {
  for (const { fields } of indexes.filter(({ unique }) => unique)) {
    const names = fields.map(([field]) => field);
    const valueOf = (k: Keys): string => JSON.stringify(names.map(field => keyIn(k, field)));
    const taken = operations.filter(({ body }) => body !== null);
    const owners = new Map<string, string>();
    for (let i = 0; i < taken.length; i += PAGE) {
      const wanted = taken
        .slice(i, i + PAGE)
        .map(({ k }) => Object.fromEntries(names.map(field => [pathOf(field), keyIn(k, field)])));
      const found = db.collection<Stored>(name).find({ $or: wanted }, { projection: { k: 1 } });
      for await (const { _id, k } of found) owners.set(valueOf(k), _id);
    }
    for (const [id, k] of before) owners.set(valueOf(k), id);
    for (const { id, body, k } of operations) {
      const old = before.get(id);
      if (old && owners.get(valueOf(old)) === id) owners.delete(valueOf(old));
      if (body === null) continue;
      const owner = owners.get(valueOf(k));
      if (owner !== undefined && owner !== id) throw new DuplicateKey(`${name}: ${id} is like ${owner}`);
      owners.set(valueOf(k), id);
    }
  }
};

/**
 * What the documents were before a commit decides whether it may happen, and what it changes in the counters.
 * @throws DuplicateKey
 */
export async function weigh(
  db: Db,
  collections: ReadonlyMap<string, Collection>,
  operations: readonly Operation[],
  lane: string,
): Promise<Tally[]> {
  const tallies: Tally[] = [];
  for (const collection of collections.values()) {
    const { name, counts } = collection;
    if (counts.length === 0 && uniqueFields(collection).length === 0) continue;
    const own = operations.filter(operation => operation.collection === name);
    const before = await keysBefore(
      db,
      name,
      own.map(({ id }) => id),
    );
    await checkUnique(db, collection, own, before);
    const images = own.map(({ id, body, k }) => [before.get(id) ?? null, body === null ? null : k] as const);
    tallies.push(...talliesOf(collection, lane, images));
  }
  return tallies;
}
