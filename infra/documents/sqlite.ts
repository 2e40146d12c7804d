import { setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { openDatabase } from '../sqlite/database';
import { isUniqueViolation } from '../sqlite/errors';
import { IMPATIENT, patiently } from '../sqlite/patience';
import { checkSpec } from './names';
import {
  type Checkpoint,
  CheckpointMoved,
  type Document,
  type Documents,
  DuplicateKey,
  type Query,
} from './port';
import { type Collection, openCatalog } from './sqlite/catalog';
import { trackChanges } from './sqlite/changes';
import { countOf } from './sqlite/counters';
import { declarationSteps } from './sqlite/declare';
import { differing } from './sqlite/differing';
import { findPage } from './sqlite/find';
import { keyOf } from './sqlite/keys';
import { dropTable, quoted } from './sqlite/layout';
import { byCollection, idsJson, writeAll } from './sqlite/write';

/** Milliseconds within which `changed` sees the commits of other processes. */
const NOTICE = 20;

/**
 * Documents in one SQLite file, which any number of processes may have open. Each collection is a table, each indexed
 * field a column; commits are durable when they resolve.
 */
export const openSqliteDocuments = ({ path }: { readonly path: string }): Documents => {
  const db = openDatabase(path, { poll: NOTICE });
  const catalog = openCatalog(db);
  const changes = trackChanges(db);
  db.exec(IMPATIENT);
  // libsql would sort the rows of a new index in memory, all of them; filling a generation is no faster with more cache.
  db.exec('PRAGMA temp_store=FILE; PRAGMA cache_size=-24576');

  const transaction = async <Result>(body: () => Result): Promise<Result> => {
    try {
      return await patiently(() => db.transaction(body));
    } catch (error) {
      throw isUniqueViolation(error) ? new DuplicateKey(String(error), { cause: error }) : error;
    }
  };

  /** The catalog may be older than the question, so it is read again when it has no answer. */
  const read = async <Result>(name: string, answer: (collection: Collection) => Result): Promise<Result> => {
    try {
      return answer(catalog.collection(name));
    } catch (error) {
      if (!catalog.refresh()) throw error;
      return answer(catalog.collection(name));
    }
  };

  const stored = db.prepare<[string]>('SELECT value FROM _checkpoints WHERE name = ?');
  const store = db.prepare('INSERT OR REPLACE INTO _checkpoints VALUES (?, ?)');
  const checkpoint = (name: string): Checkpoint | null => {
    const row = stored.get([name]);
    return row ? (JSON.parse(row[0]) as Checkpoint) : null;
  };

  const documents: Documents = {
    declare: async (collections, options = {}) => {
      collections.forEach(checkSpec);
      for (const spec of collections)
        for (const step of declarationSteps(db, catalog, spec, options)) {
          await transaction(step);
          await turn();
        }
      catalog.refresh();
    },
    drop: async name => {
      await transaction(() => {
        catalog.refresh();
        if (!catalog.find(name)) return;
        db.exec(dropTable(name));
        catalog.remove(name);
      });
      catalog.refresh();
    },
    get: <D extends Document>(name: string, id: string) =>
      read(name, () => {
        const row = db.prepare<[string]>(`SELECT body FROM ${quoted(name)} WHERE id = ?`).get([keyOf(id)]);
        return row ? (JSON.parse(row[0]) as D) : null;
      }),
    getMany: <D extends Document>(name: string, ids: readonly string[]) =>
      read(name, () => {
        const found = db
          .prepare<[string]>(
            `SELECT body FROM json_each(?) AS wanted CROSS JOIN ${quoted(name)} AS document ON document.id = wanted.value`,
          )
          .all([idsJson(ids)])
          .map(([body]) => JSON.parse(body) as D);
        return new Map(found.map(document => [document._id, document]));
      }),
    find: (name, query) => read(name, collection => findPage(db, collection, query)),
    scan: async function* <D extends Document>(name: string, query: Query) {
      for (let cursor = query.cursor; ;) {
        const page = await documents.find<D>(name, cursor === undefined ? query : { ...query, cursor });
        if (page.documents.length > 0) yield page.documents;
        if (page.next === null) return;
        cursor = page.next;
      }
    },
    count: (name, equals = {}) => read(name, collection => countOf(db, collection, equals)),
    differing: async function* (left, right) {
      await read(left, () => catalog.collection(right));
      for (const page of differing(db, left, right)) {
        yield page;
        await turn();
      }
    },
    commit: async commit => {
      const groups = byCollection(commit.writes);
      await transaction(() => {
        const moved = commit.checkpoint;
        if (moved?.expect !== undefined && !isDeepStrictEqual(checkpoint(moved.name), moved.expect))
          throw new CheckpointMoved(moved.name);
        catalog.refresh();
        for (const [name, writes] of groups) writeAll(db, catalog.collection(name), writes);
        if (groups.size > 0) changes.record(groups.keys());
        if (moved) store.run([moved.name, JSON.stringify(moved.value)]);
      });
    },
    checkpoint: async name => checkpoint(name),
    changed: async (collections, timeout) => changes.after(collections, timeout),
    close: async () => {
      changes.close();
      db.close();
    },
  };
  return documents;
};
