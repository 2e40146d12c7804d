import { type ClientSession, type Db, MongoError } from 'mongodb';
import { UnknownCollection } from '../../../../contracts/ports/documents';
import { DUPLICATE_KEY, ignoring } from '../../mongodb/server-errors';
import { REPEATED } from '../../mongodb/transaction';
import type { Collection } from '../collection';
import { findByIds, loaderById } from './by-id';
import { type Claimable, UNCLAIMED } from './exclusively';
import { CATALOG } from './stored-document';

/** Claimed while its documents are counted. */
export interface CatalogEntry extends Claimable, Omit<Collection, 'name'> {}

const collectionIn = (name: string, entry: CatalogEntry | null | undefined): Collection => {
  if (!entry) throw new UnknownCollection(name);
  const { fields, indexes, counts } = entry;
  return { name, fields, indexes, counts };
};

/** In a transaction, which is repeated while one of the collections is counted. @throws UnknownCollection */
export async function readCollections(
  db: Db,
  names: readonly string[],
  session: ClientSession,
): Promise<Collection[]> {
  const entries = await findByIds<CatalogEntry>(db, CATALOG, names, { session });
  for (const [name, { by, until = 0 }] of entries) {
    if (until > Date.now()) throw beingCounted(name);
    // Whoever has claimed it must not go on: what is committed here would not be counted.
    if (by) await db.collection<CatalogEntry>(CATALOG).updateOne({ _id: name }, UNCLAIMED, { session });
  }
  return names.map(name => collectionIn(name, entries.get(name)));
}

function beingCounted(name: string): MongoError {
  const error = new MongoError(`the documents of ${name} are being counted`);
  error.addErrorLabel(REPEATED);
  return error;
}

/** The declared collections, cached: other processes declare and drop, too. */
export interface Catalog {
  /** Possibly out of date. @throws UnknownCollection */
  cached(name: string): Promise<Collection>;
  /** Read from the database. @throws UnknownCollection */
  fresh(name: string): Promise<Collection>;
  /** Nothing when it exists. */
  create(collection: Collection): Promise<void>;
  /** @returns the collection with them @throws UnknownCollection */
  add(name: string, parts: Partial<Omit<Collection, 'name'>>, session?: ClientSession): Promise<Collection>;
  remove(name: string): Promise<void>;
}

export function openCatalog(db: Db): Catalog {
  const entries = db.collection<CatalogEntry>(CATALOG);
  const known = loaderById<CatalogEntry>(db, CATALOG, { cache: true });
  const fresh = async (name: string): Promise<Collection> =>
    collectionIn(name, await known.clear(name).load(name));

  return {
    cached: async name => {
      const entry = await known.load(name);
      return entry ? collectionIn(name, entry) : fresh(name);
    },
    fresh,
    create: async ({ name: _id, ...parts }) => {
      await entries.insertOne({ _id, ...parts }).catch(ignoring(DUPLICATE_KEY));
    },
    add: async (name, parts, session) => {
      const sets = Object.entries(parts).map(([part, $each]) => [part, { $each }]);
      const $addToSet = Object.fromEntries(sets) as object;
      const options = { returnDocument: 'after', ...(session && { session }) } as const;
      const after = await entries.findOneAndUpdate({ _id: name }, { $addToSet }, options);
      known.clear(name);
      return collectionIn(name, after);
    },
    remove: async name => {
      await entries.deleteOne({ _id: name });
      known.clear(name);
    },
  };
}
