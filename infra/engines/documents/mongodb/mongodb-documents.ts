import { randomUUID } from 'node:crypto';
import { type MongoClient, MongoServerSelectionError } from 'mongodb';
import type { Documents } from '../../../../contracts/ports/documents';
import type { WakeUps } from '../../../../contracts/ports/wake-ups';
import { close, connect, databaseOf } from '../../mongodb/connect';
import { findByIds } from '../../mongodb/reads';
import { OPEN_TIMEOUT_MS } from '../../open-timeout';
import { changedParts } from '../changed-parts';
import { isDeclared } from '../collection';
import { validateSpec } from '../collection-spec';
import { createCircuitBreaker } from '../limits/circuit-breaker';
import { limited } from '../limits/limited';
import { createReadSemaphore } from '../limits/read-semaphore';
import { type CatalogEntry, openCatalog } from './catalog';
import { checkpointReader } from './checkpoints';
import { createCollectionReads, type RunRead } from './collection-reads';
import { commit } from './commit';
import { deleteCounters } from './counters';
import { BUILD, declareOne } from './declare';
import { throwTranslated } from './errors';
import { prepare } from './prepare';
import { CATALOG, CHECKS } from './stored-document';

export interface MongoDocumentsOptions {
  readonly url: string;
  /** Default: the one in the URL, else `tidemark`. */
  readonly database?: string;
  readonly wakeUps: WakeUps;
  /**
   * Where pages and scans are read; default `primary`. Secondaries may lag behind what was committed and behind
   * `checkpoint`, so they are for reports and exports. All else is read from the primary.
   */
  readonly reads?: 'primary' | 'secondaryPreferred';
}

/** For a page, and a commit of few documents: a command is refused within five seconds. The URL may give another one as `socketTimeoutMS`. */
const READ_TIMEOUT_MS = 4_500;
/** As long as MongoDB lets a transaction run. */
const COMMIT_TIMEOUT_MS = 60_000;

/** Of those that write, and of those that read where the URL lifts their limit. */
const DEFAULT_POOL_SIZE = 100;

/** Writes of a commit that a caller may wait for. Those of projections that are behind have more, and may take longer. */
const MAX_FEW_WRITES = 100;

const wakeUpName = (collection: string): string => `documents/${collection}`;

/**
 * Documents in MongoDB 4.4 or newer, a replica set of one or more members. A commit is a transaction.
 * @throws CannotOpen; OldLayout
 */
export function openMongoDocuments(options: MongoDocumentsOptions): Promise<Documents> {
  return connect(options.url, client => initialize(client, options));
}

async function initialize(
  client: MongoClient,
  { url, database, wakeUps, reads: preference = 'primary' }: MongoDocumentsOptions,
): Promise<Documents> {
  const closing = `documents/closing/${randomUUID()}`;
  const notify = (collections: readonly string[]): void => wakeUps.notify(collections.map(wakeUpName));
  const db = databaseOf(client, url, database);
  await limited(OPEN_TIMEOUT_MS, () => prepare(db));
  const catalog = openCatalog(db);
  const readCheckpoint = checkpointReader(db);

  const readTimeoutMs = client.options.socketTimeoutMS || READ_TIMEOUT_MS;
  const commitTimeoutMs = Math.max(COMMIT_TIMEOUT_MS, readTimeoutMs);
  // Connections of their own: an open transaction must not wait for one behind reads, nor behind others that wait for it.
  // They are made now: a client whose first operation finds no server fails for good. What hangs of a commit that was given up
  // ends, too.
  const connections = { socketTimeoutMS: commitTimeoutMs, maxPoolSize: DEFAULT_POOL_SIZE };
  const writer = await connect(url, async client => client, connections);
  const writerDb = databaseOf(writer, url, database);

  // Both of the writer: the reads that hang may have all connections of the other client.
  const reads = createCircuitBreaker(
    signal => writerDb.collection(CATALOG).findOne({}, { signal }),
    MongoServerSelectionError,
  );
  const writes = createCircuitBreaker(signal => {
    const updates = [{ q: { _id: 'probe' }, u: { at: new Date() }, upsert: true }];
    const writeConcern = { w: 'majority', j: true, wtimeout: readTimeoutMs };
    return writerDb.command({ update: CHECKS, updates, writeConcern }, { signal });
  }, MongoServerSelectionError);
  const write: typeof limited = (timeoutMs, work) => writes.execute(timeoutMs, work).catch(throwTranslated);
  const semaphore = createReadSemaphore(client.options.maxPoolSize || DEFAULT_POOL_SIZE);
  const read: RunRead = work =>
    semaphore(work, query => reads.execute(readTimeoutMs, query).catch(throwTranslated));
  // The circuit breaker is about the primary.
  const readSecondary: RunRead = work =>
    semaphore(work, query => limited(readTimeoutMs, query).catch(throwTranslated));
  const readPage = preference === 'primary' ? read : readSecondary;

  return {
    ...createCollectionReads(db, catalog, { read, readPage, preference }),
    declare: async (specs, declareOptions = {}) => {
      specs.forEach(validateSpec);
      const names = specs.map(({ name }) => name);
      const known = await read(() => findByIds<CatalogEntry>(db, CATALOG, names));
      const missing = specs.filter(spec => !isDeclared(known.get(spec.name), spec, declareOptions));
      await write(BUILD.maxTimeMS, async () => {
        for (const spec of missing) await declareOne(db, catalog, spec, declareOptions);
      });
      notify(missing.map(({ name }) => name));
    },
    drop: name =>
      write(commitTimeoutMs, async signal => {
        await catalog.remove(name);
        // It may have been declared again after its caller gave up.
        signal.throwIfAborted();
        await db.collection(name).drop();
        await deleteCounters(db, name);
        notify([name]);
      }),
    commit: async changes => {
      const timeoutMs = changes.writes.length > MAX_FEW_WRITES ? commitTimeoutMs : readTimeoutMs;
      await write(timeoutMs, signal => commit(writerDb, changes, signal));
      for (const [name, parts] of changedParts(changes.writes)) wakeUps.notify([wakeUpName(name)], parts);
    },
    checkpoint: name => read(() => readCheckpoint(name)),
    waitForChange: (collections, timeoutMs) =>
      wakeUps.wait([...collections.map(wakeUpName), closing], timeoutMs),
    subscribe: (name, onChange) => wakeUps.subscribe(wakeUpName(name), onChange),
    close: async () => {
      wakeUps.notify([closing]);
      reads.close();
      writes.close();
      await Promise.all([client, writer].map(close));
    },
  };
}
