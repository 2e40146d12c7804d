import type { ClientSession, Db } from 'mongodb';
import { UnknownCollection } from '../../../../contracts/ports/documents';
import { type Claimable, endClaims } from '../../mongodb/exclusively';
import { findByIds } from '../../mongodb/reads';
import { DUPLICATE_KEY, ignoring } from '../../mongodb/server-errors';
import type { Collection } from '../collection';
import { CATALOG } from './stored-document';

type Parts = Omit<Collection, 'name'>;

/** Claimed while its documents are counted. */
export type CatalogEntry = Claimable & Parts;

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
  await endClaims(db, CATALOG, entries.values(), session);
  return names.map(name => collectionIn(name, entries.get(name)));
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
  add(name: string, parts: Partial<Parts>, session?: ClientSession): Promise<Collection>;
  remove(name: string): Promise<void>;
}

export function openCatalog(db: Db): Catalog {
  const entries = db.collection<CatalogEntry>(CATALOG);
  const known = new Map<string, Collection>();
  const fresh = async (name: string): Promise<Collection> => {
    known.delete(name);
    const collection = collectionIn(name, await entries.findOne({ _id: name }));
    known.set(name, collection);
    return collection;
  };

  return {
    cached: async name => known.get(name) ?? fresh(name),
    fresh,
    create: async ({ name: _id, ...parts }) => {
      await entries.insertOne({ _id, ...parts }).catch(ignoring(DUPLICATE_KEY));
    },
    add: async (name, parts, session) => {
      const sets = Object.entries(parts).map(([part, $each]) => [part, { $each }]);
      const $addToSet = Object.fromEntries(sets) as object;
      const options = { returnDocument: 'after', ...(session && { session }) } as const;
      const entry = await entries.findOneAndUpdate({ _id: name }, { $addToSet }, options);
      known.delete(name);
      return collectionIn(name, entry);
    },
    remove: async name => {
      await entries.deleteOne({ _id: name });
      known.delete(name);
    },
  };
}
