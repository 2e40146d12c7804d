import { setImmediate as turn } from 'node:timers/promises';
import { isUniqueViolation } from '../../sqlite/errors';
import { patiently } from '../../sqlite/patience';
import { checkSpec } from '../names';
import { scanBy } from '../paging';
import { type Document, type Documents, DuplicateKey } from '../../../../contracts/ports/documents';
import { type Collection, openCatalog } from './catalog';
import { trackChanges } from './changes';
import { type Ready, shareTransactions } from './commits';
import { connect } from './connection';
import { countOf } from './counters';
import { declarationSteps } from './declare';
import { differing } from './differing';
import { idsJson } from './encode';
import { findPage } from './find';
import { keyOf } from './keys';
import { dropTable, quoted } from './layout';
import { emptyLog, overwriteDeleted } from './overwriting';
import { perform, readCheckpoint, type Task } from './tasks';
import { startThread, type Thread } from './thread';
import { trackVersions } from './versions';

/** MiB */
const CACHE = 16;

/** Writes, or bytes of documents, from which on a transaction is done by a thread: this one then has time for reads, and for what comes next. */
const LONG = { writes: 1_000, bytes: 256 * 1024 };

const isLong = (commits: readonly Ready[]): boolean =>
  commits.reduce((sum, { writes }) => sum + writes.length, 0) >= LONG.writes ||
  commits.reduce((sum, { bytes }) => sum + bytes, 0) >= LONG.bytes;

interface SqliteDocumentsOptions {
  readonly path: string;
  /** When a commit resolves, nothing is left in the file and its log of what it deletes or replaces. For small files. */
  readonly overwriting?: boolean;
}

/**
 * Documents in one SQLite file, which any number of processes may have open. Each collection is a table, each indexed
 * field a column; commits are durable when they resolve. Long transactions are done by a thread of their own.
 */
export function openSqliteDocuments({ path, overwriting = false }: SqliteDocumentsOptions): Documents {
  const db = connect(path, CACHE);
  if (overwriting) overwriteDeleted(db);
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

  const commits = shareTransactions(catalog, async group => {
    const task = { commits: group.map(({ groups, checkpoint, bytes }) => ({ groups, checkpoint, bytes })) };
    if (isLong(group) && !overwriting) return elsewhere(task);
    await here(() => {
      perform(db, catalog, task);
      for (const { groups, writes } of group)
        for (const { collection } of groups)
          versions.wrote(
            collection,
            writes.filter(write => write.collection === collection),
          );
    });
    if (overwriting && group.some(({ writes }) => writes.length > 0)) await emptyLog(db);
  });

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
    scan: (name, query) => scanBy(documents.find, name, query),
    count: (name, equals = {}) => read(name, collection => countOf(db, collection, equals)),
    differing: async function* (left, right) {
      await read(left, () => catalog.collection(right));
      for (const page of differing(db, left, right)) {
        yield page;
        await turn();
      }
    },
    commit: commits.add,
    checkpoint: async name => readCheckpoint(db, name),
    changed: async (collections, timeout) => changes.after(collections, timeout),
    version: sources => versions.of(sources),
    close: async () => {
      await commits.drained();
      await last;
      await thread?.close();
      changes.close();
      db.close();
    },
  };
  return documents;
}
