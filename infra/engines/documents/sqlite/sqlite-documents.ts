import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Document, type Documents } from '../../../../contracts/ports/documents';
import { documentIn } from '../body';
import { validateSpec } from '../collection-spec';
import { scanPages } from '../pagination';
import { type Collection, isDeclared } from '../collection';
import { openCatalog } from './catalog';
import { createChangeNotifier } from './change-notifier';
import { batchCommits } from './commit-batching';
import { connect } from './connection';
import { countOf } from './counters';
import { createMissing, declarationSteps } from './declare';
import { diff } from './diff';
import { createDocumentCache } from './document-cache';
import { idsJson } from './encode';
import { createFind } from './find';
import { keyOf } from './index-keys';
import { enableSecureDelete } from './secure-delete';
import { checkedColumn, joinedBodies, readBodies, readText } from './stored-text';
import { dropTable, quoted } from './tables';
import { createTransactions } from './transactions';
import { trackVersions } from './versions';
import { readCheckpoint } from './write-transaction';

/** The system caches the file too: a larger one makes neither single reads nor pages faster. */
const CACHE_MIB = 8;
export const DOCUMENT_CACHE_BYTES = 32 * 2 ** 20;

interface SqliteDocumentsOptions {
  readonly path: string;
  /**
   * When a commit resolves, the file and its write-ahead log hold no remnants of what it deleted or replaced. For small
   * files.
   */
  readonly secureDelete?: boolean;
}

/**
 * Documents in one SQLite file, for any number of processes on one machine. Each collection is a table, each indexed
 * field a column; commits are durable when they resolve. Large transactions run in a thread.
 */
export function openSqliteDocuments({ path, secureDelete = false }: SqliteDocumentsOptions): Documents {
  const db = connect(path, CACHE_MIB);
  if (secureDelete) enableSecureDelete(db);
  const catalog = openCatalog(db);
  const changes = createChangeNotifier(db);
  const versions = trackVersions(db);
  const find = createFind(db, secureDelete ? null : createDocumentCache(db, DOCUMENT_CACHE_BYTES));
  const transactions = createTransactions({ path, db, catalog, versions, secureDelete });
  const { inThisThread, inWriterThread } = transactions;

  const commits = batchCommits(catalog, batch =>
    changes.runAndNotify(async () => {
      const last = await transactions.commit(batch);
      const count = batch.filter(({ groups }) => groups.length > 0).length;
      return { last, count, writes: batch.flatMap(({ writes }) => writes) };
    }),
  );

  /** The cached catalog may be out of date: it is refreshed when the query fails. */
  const read = async <Result>(name: string, query: (collection: Collection) => Result): Promise<Result> => {
    try {
      return query(catalog.collection(name));
    } catch (error) {
      if (!catalog.refresh()) throw error;
      return query(catalog.collection(name));
    }
  };

  const documents: Documents = {
    declare: async (collections, options = {}) => {
      collections.forEach(validateSpec);
      catalog.refresh();
      if (collections.some(({ name }) => !catalog.find(name)))
        await inThisThread(() => createMissing(db, catalog, collections, options));
      for (const spec of collections) {
        catalog.refresh();
        if (isDeclared(catalog.find(spec.name), spec, options)) continue;
        for (const [step, body] of declarationSteps(db, catalog, spec, options).entries()) {
          // After large writes there is much to index.
          if (transactions.usesThread()) await inWriterThread({ declare: spec, options, step });
          else await inThisThread(body);
          await nextTurn();
        }
      }
      catalog.refresh();
    },
    drop: async name => {
      await inThisThread(() => {
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
        const row = db
          .prepare<[Buffer]>(`SELECT ${checkedColumn('body')} FROM ${quoted(name)} WHERE id = ?`)
          .get([keyOf(id)]);
        return row ? documentIn<D>(readText(row[0], `document ${name}/${id}`)) : null;
      }),
    getMany: <D extends Document>(name: string, ids: readonly string[]) =>
      read(name, () => {
        const wanted = `SELECT body FROM json_each(?) AS wanted CROSS JOIN ${quoted(name)} AS document ON document.id = wanted.value`;
        const [joined] = db.prepare<[Buffer | null]>(joinedBodies(wanted)).get([idsJson(ids)])!;
        const found = readBodies(joined, name).map(body => documentIn<D>(body));
        return new Map(found.map(document => [document._id, document]));
      }),
    find: (name, query) => read(name, collection => find(collection, query)),
    scan: (name, query) => scanPages(documents.find, name, query),
    count: (name, equals = {}) => read(name, collection => countOf(db, collection, equals)),
    sum: (name, field, equals = {}) => read(name, collection => countOf(db, collection, equals, field)),
    diff: async function* (left, right) {
      await read(left, () => catalog.collection(right));
      for (const mismatch of diff(db, left, right)) {
        yield mismatch;
        await nextTurn();
      }
    },
    commit: commits.add,
    checkpoint: async name => readCheckpoint(db, name),
    waitForChange: async (collections, timeoutMs) => changes.wait(collections, timeoutMs),
    subscribe: changes.subscribe,
    version: sources => versions.of(sources),
    close: async () => {
      await commits.drained();
      await transactions.close();
      changes.close();
      db.close();
    },
  };
  return documents;
}
