import { setImmediate as nextTurn } from 'node:timers/promises';
import { Mutex } from 'async-mutex';
import { type Document, type Documents, DuplicateKey } from '../../../../contracts/ports/documents';
import { isUniqueViolation } from '../../sqlite/errors';
import { retryWhileBusy } from '../../sqlite/retry-while-busy';
import { documentIn } from '../body';
import { validateSpec } from '../collection-spec';
import { scanPages } from '../pagination';
import { type Collection, openCatalog } from './catalog';
import { createChangeNotifier } from './change-notifier';
import { batchCommits, type PreparedCommit } from './commit-batching';
import { connect } from './connection';
import { countOf } from './counters';
import { createMissing, declarationSteps, isDeclared } from './declare';
import { diff } from './diff';
import { createDocumentCache } from './document-cache';
import { idsJson } from './encode';
import { createFind } from './find';
import { keyOf } from './index-keys';
import { enableSecureDelete, truncateWal } from './secure-delete';
import { checkedColumn, joinedBodies, readBodies, readText } from './stored-text';
import { dropTable, quoted } from './tables';
import { trackVersions } from './versions';
import { execute, readCheckpoint, type WriteTask } from './write-transaction';
import { startWriterThread, type WriterThread } from './writer-thread';

/** The system caches the file too: a larger one makes neither single reads nor pages faster. */
const CACHE_MIB = 8;
const DOCUMENT_CACHE_BYTES = 32 * 2 ** 20;

/** From this size on a transaction runs in a thread, so that this one can read and prepare the next commits. */
const MIN_THREAD_WRITES = 1_000;
const MIN_THREAD_BYTES = 256 * 1024;

const isLarge = (commits: readonly PreparedCommit[]): boolean =>
  commits.reduce((sum, { writes }) => sum + writes.length, 0) >= MIN_THREAD_WRITES ||
  commits.reduce((sum, { bytes }) => sum + bytes, 0) >= MIN_THREAD_BYTES;

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
  let thread: WriterThread | null = null;

  /** One transaction at a time, so that neither thread waits for the write lock of the other. */
  const mutex = new Mutex();
  const exclusive = <Result>(transaction: () => Promise<Result>): Promise<Result> =>
    mutex.runExclusive(async () => {
      try {
        return await transaction();
      } catch (error) {
        throw isUniqueViolation(error) ? new DuplicateKey(String(error), { cause: error }) : error;
      }
    });
  const inThisThread = <Result>(body: () => Result): Promise<Result> =>
    exclusive(() => retryWhileBusy(() => db.transaction(body)));
  const inWriterThread = (task: WriteTask): Promise<number | null> =>
    exclusive(() => (thread ??= startWriterThread(path, () => (thread = null))).execute(task));

  const commits = batchCommits(catalog, batch =>
    changes.runAndNotify(async () => {
      const last = await commitBatch(batch);
      const count = batch.filter(({ groups }) => groups.length > 0).length;
      return { last, count, writes: batch.flatMap(({ writes }) => writes) };
    }),
  );

  /** @returns the number of its last commit with writes */
  const commitBatch = async (batch: readonly PreparedCommit[]): Promise<number | null> => {
    const task = { commits: batch.map(({ groups, checkpoint, bytes }) => ({ groups, checkpoint, bytes })) };
    if (isLarge(batch) && !secureDelete) return inWriterThread(task);
    const last = await inThisThread(() => {
      const number = execute(db, catalog, task);
      for (const { groups, writes } of batch)
        for (const { collection } of groups)
          versions.wrote(
            collection,
            writes.filter(write => write.collection === collection),
          );
      return number;
    });
    if (secureDelete && batch.some(({ writes }) => writes.length > 0)) await truncateWal(db);
    return last;
  };

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
        if (isDeclared(catalog, spec, options)) continue;
        for (const [step, body] of declarationSteps(db, catalog, spec, options).entries()) {
          // After large writes there is much to index.
          if (thread) await inWriterThread({ declare: spec, options, step });
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
      await mutex.waitForUnlock();
      await thread?.close();
      changes.close();
      db.close();
    },
  };
  return documents;
}
