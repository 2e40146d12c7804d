import type { ClientSession, Collection as MongoCollection, Db } from 'mongodb';
import { type IndexSpec, UnknownCollection } from '../../../../contracts/ports/documents';
import { isDuplicate } from './errors';
import { CATALOG } from './stored-document';
import { readJson } from '../../../../contracts/json/read-json';

/** A collection as it exists. Indexes and counts are listed once they are built. */
export interface Collection {
  readonly name: string;
  /** Those of its indexes and counts, built or not: what they hold must be possible to index. */
  readonly fields: readonly string[];
  readonly indexes: readonly IndexSpec[];
  /** Sorted sets of fields. */
  readonly counts: readonly (readonly string[])[];
}

interface Entry {
  readonly _id: string;
  readonly revision: number;
  readonly collection: string;
}

/** The declared collections, cached: other processes declare and drop, too. */
export interface Catalog {
  /** Possibly out of date. @throws UnknownCollection */
  cached(name: string): Promise<Collection>;
  /** Read from the database. @throws UnknownCollection */
  fresh(names: Iterable<string>, session?: ClientSession): Promise<Map<string, Collection>>;
  /** Changes a collection (null: not there yet); retries when another process changes it at the same time. */
  change(name: string, change: (collection: Collection | null) => Collection): Promise<Collection>;
  remove(name: string): Promise<void>;
}

export function openCatalog(db: Db): Catalog {
  const entries: MongoCollection<Entry> = db.collection(CATALOG);
  const cache = new Map<string, Collection>();

  const load = async (names: readonly string[], session?: ClientSession): Promise<Map<string, Entry>> => {
    const found = await entries.find({ _id: { $in: [...names] } }, session && { session }).toArray();
    for (const name of names) cache.delete(name);
    for (const { _id, collection } of found) cache.set(_id, readJson(collection) as Collection);
    return new Map(found.map(entry => [entry._id, entry]));
  };

  const save = async (name: string, found: Entry | undefined, collection: string): Promise<boolean> => {
    if (found) {
      const { _id, revision } = found;
      const saved = await entries.replaceOne({ _id, revision }, { revision: revision + 1, collection });
      return saved.matchedCount === 1;
    }
    try {
      await entries.insertOne({ _id: name, revision: 1, collection });
      return true;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      return false;
    }
  };

  const catalog: Catalog = {
    cached: async name => cache.get(name) ?? (await catalog.fresh([name])).get(name)!,
    fresh: async (names, session) => {
      const wanted = [...names];
      if (wanted.length === 0) return new Map();
      const found = await load(wanted, session);
      for (const name of wanted) if (!found.has(name)) throw new UnknownCollection(name);
      return new Map(wanted.map(name => [name, cache.get(name)!]));
    },
    change: async (name, change) => {
      for (;;) {
        const found = (await load([name])).get(name);
        const changed = change(cache.get(name) ?? null);
        if (changed === cache.get(name)) return changed;
        if (!(await save(name, found, JSON.stringify(changed)))) continue;
        cache.set(name, changed);
        return changed;
      }
    },
    remove: async name => {
      await entries.deleteOne({ _id: name });
      cache.delete(name);
    },
  };
  return catalog;
}
