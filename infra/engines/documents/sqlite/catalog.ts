import type { Database } from '../../sqlite/database';
import { withChecksum } from '../../sqlite/checksum';
import { ensureSchema } from '../../sqlite/schema';
import { UnknownCollection } from '../../../../contracts/ports/documents';
import type { Collection } from '../collection';
import { checkedColumn, readText } from './stored-text';
import { readJson } from '../../../../contracts/json/read-json';

/** Names of checkpoints are in an index of their own too: when one is damaged, the check of the file finds the difference. */
const SCHEMA = `
  CREATE TABLE _state (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    commits INTEGER NOT NULL,
    declarations INTEGER NOT NULL
  );
  INSERT INTO _state VALUES (1, 0, 0);
  CREATE TABLE _collections (
    name TEXT PRIMARY KEY COLLATE NOCASE,
    collection TEXT NOT NULL,
    last_commit INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE _checkpoints (name TEXT PRIMARY KEY, value TEXT NOT NULL)`;

/** The collections of a file, cached. A counter of declarations shows that another process has changed them. */
export interface Catalog {
  find(name: string): Collection | undefined;
  /** @throws UnknownCollection */
  collection(name: string): Collection;
  /** Reads new declarations; true when there were any. Not to be called after a save that may be rolled back. */
  refresh(): boolean;
  save(collection: Collection): void;
  remove(name: string): void;
}

export function openCatalog(db: Database): Catalog {
  ensureSchema(db, 2, SCHEMA);
  const version = db.prepare<[number]>('SELECT declarations FROM _state');
  const all = db.prepare<[Buffer]>(`SELECT ${checkedColumn('collection')} FROM _collections`);
  const insert = db.prepare(
    `INSERT INTO _collections VALUES (?, ?, (SELECT commits FROM _state))
      ON CONFLICT DO UPDATE SET collection = excluded.collection`,
  );
  const remove = db.prepare('DELETE FROM _collections WHERE name = ?');
  const declared = db.prepare('UPDATE _state SET declarations = declarations + 1, commits = commits + 1');
  let seen = -1;
  let collections = new Map<string, Collection>();

  return {
    find: name => collections.get(name),
    collection: name => {
      const collection = collections.get(name);
      if (!collection) throw new UnknownCollection(name);
      return collection;
    },
    refresh: () => {
      const [declarations] = version.get()!;
      if (declarations === seen) return false;
      const read = all
        .all()
        .map(([collection]) => readJson(readText(collection, 'the list of collections')) as Collection);
      collections = new Map(read.map(collection => [collection.name, collection]));
      seen = declarations;
      return true;
    },
    save: collection => {
      insert.run([collection.name, withChecksum(JSON.stringify(collection))]);
      declared.run();
    },
    remove: name => {
      remove.run([name]);
      declared.run();
    },
  };
}
