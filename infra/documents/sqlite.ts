import { setImmediate as turn } from 'node:timers/promises';
import { isUniqueViolation } from '../sqlite/errors';
import { patiently } from '../sqlite/patience';
import { checkSpec } from './names';
import { type Document, type Documents, DuplicateKey, type Query } from './port';
import { type Collection, openCatalog } from './sqlite/catalog';
import { trackChanges } from './sqlite/changes';
import { connect } from './sqlite/connection';
import { countOf } from './sqlite/counters';
import { declarationSteps } from './sqlite/declare';
import { differing } from './sqlite/differing';
import { encode, idsJson } from './sqlite/encode';
import { findPage } from './sqlite/find';
import { keyOf } from './sqlite/keys';
import { dropTable, quoted } from './sqlite/layout';
import { perform, readCheckpoint, StaleLayout, type Task } from './sqlite/tasks';
import { startThread, type Thread } from './sqlite/thread';
import { trackVersions } from './sqlite/versions';

/** MiB */
const CACHE = 16;

/** Writes in a commit from which on it is done by a thread, so that this one has time for reads, and for what comes next. */
const LONG = 1_000;

/**
 * Documents in one SQLite file, which any number of processes may have open. Each collection is a table, each indexed
 * field a column; commits are durable when they resolve. Long transactions are done by a thread of their own.
 */
export const openSqliteDocuments = ({ path }: { readonly path: string }): Documents => {
  const db = connect(path, CACHE);
  const catalog = openCatalog(db);
  const changes = trackChanges(db);
  const versions = trackVersions(db);
  let thread: Thread | null = null;
  let last: Promise<unknown> = Promise.resolve();

  /** One after the other, so that neither thread waits for a lock that the other one has. */
  const inTurn = async <Result>(transaction: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(transaction);
    last = turn.catch(() => undefined);
    try {
      return await turn;
    } catch (error) {
      throw isUniqueViolation(error) ? new DuplicateKey(String(error), { cause: error }) : error;
    }
  };
  const here = (body: () => void): Promise<void> => inTurn(() => patiently(() => db.transaction(body)));
  const elsewhere = (task: Task): Promise<void> =>
    inTurn(() => (thread ??= startThread(path, () => (thread = null))).perform(task));

  /** The catalog may be older than the question, so it is read again when it has no answer. */
  const read = async <Result>(name: string, answer: (collection: Collection) => Result): Promise<Result> => {
    try {
      return answer(catalog.collection(name));
    } catch (error) {
      if (!catalog.refresh()) throw error;
      return answer(catalog.collection(name));
    }
  };

  const documents: Documents = {
    declare: async (collections, options = {}) => {
      collections.forEach(checkSpec);
      for (const spec of collections)
        for (const [step, body] of declarationSteps(db, catalog, spec, options).entries()) {
          // Where much was written, much is to be indexed.
          if (thread) await elsewhere({ declare: spec, options, step });
          else await here(body);
          await turn();
        }
      catalog.refresh();
    },
    drop: async name => {
      await here(() => {
        catalog.refresh();
        if (!catalog.find(name)) return;
        db.exec(dropTable(name));
        catalog.remove(name);
        versions.dropped();
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
      for (;;) {
        const task = { commit: encode(commit, catalog.find) };
        try {
          if (commit.writes.length >= LONG) return await elsewhere(task);
          return await here(() => {
            perform(db, catalog, task);
            for (const { collection } of task.commit.groups)
              versions.wrote(
                collection,
                commit.writes.filter(write => write.collection === collection),
              );
          });
        } catch (error) {
          if (!(error instanceof StaleLayout)) throw error;
          catalog.refresh();
        }
      }
    },
    checkpoint: async name => readCheckpoint(db, name),
    changed: async (collections, timeout) => changes.after(collections, timeout),
    version: sources => versions.of(sources),
    close: async () => {
      await last;
      await thread?.close();
      changes.close();
      db.close();
    },
  };
  return documents;
};
