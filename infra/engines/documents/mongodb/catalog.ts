import { type ClientSession, type Db, MongoError } from 'mongodb';
import { readJson } from '../../../../contracts/json/read-json';
import { UnknownCollection } from '../../../../contracts/ports/documents';
import type { Collection } from '../collection';
import { findByIds, loaderById } from './by-id';
import { DUPLICATE_KEY, ignoring } from './errors';
import type { Claimable } from './exclusively';
import { CATALOG } from './stored-document';
import { REPEATED } from './transaction';

/** Claimed while its documents are counted. */
interface Entry extends Claimable {
  readonly collection: string;
}

const collectionIn = (name: string, entry: Entry | undefined): Collection => {
  if (!entry) throw new UnknownCollection(name);
  return readJson(entry.collection) as Collection;
};

/** In a transaction, which is repeated while one of the collections is counted. @throws UnknownCollection */
export async function readCollections(
  db: Db,
  names: readonly string[],
  session: ClientSession,
): Promise<Collection[]> {
  const entries = await findByIds<Entry>(db, CATALOG, names, { session });
  for (const [name, { until = 0 }] of entries) if (until > Date.now()) throw beingCounted(name);
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
  /** Read from the database. */
  find(name: string): Promise<Collection | undefined>;
  /** As `find`. @throws UnknownCollection */
  fresh(name: string): Promise<Collection>;
  /**
   * Changes a collection; `change` is called again when another process changes it at the same time.
   * @param created to begin with, where it is not there yet
   * @throws UnknownCollection
   */
  change(
    name: string,
    change: (collection: Collection) => Collection,
    created?: Collection,
  ): Promise<Collection>;
  remove(name: string): Promise<void>;
}

export function openCatalog(db: Db): Catalog {
  const entries = db.collection<Entry>(CATALOG);
  const known = loaderById<Entry>(db, CATALOG, { cache: true });
  const read = (name: string): Promise<Entry | undefined> => known.clear(name).load(name);

  return {
    cached: async name => collectionIn(name, (await known.load(name)) ?? (await read(name))),
    find: async name => {
      const entry = await read(name);
      return entry && collectionIn(name, entry);
    },
    fresh: async name => collectionIn(name, await read(name)),
    change: async (name, change, created) => {
      for (;;) {
        const entry = await read(name);
        const after = change(created && !entry ? created : collectionIn(name, entry));
        const text = JSON.stringify(after);
        // As at each start but the first: a write would wait for the majority, once for every collection.
        if (entry?.collection === text) return after;
        const expected = { _id: name, collection: entry?.collection ?? { $exists: false } };
        const saved = await entries
          .updateOne(expected, { $set: { collection: text } }, { upsert: !entry })
          .catch(ignoring(DUPLICATE_KEY));
        known.clear(name);
        if (saved && saved.matchedCount + saved.upsertedCount > 0) return after;
      }
    },
    remove: async name => {
      await entries.deleteOne({ _id: name });
      known.clear(name);
    },
  };
}
