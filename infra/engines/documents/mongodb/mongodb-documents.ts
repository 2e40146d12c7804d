import { randomUUID } from 'node:crypto';
import { Semaphore } from 'async-mutex';
import type { Logger } from 'pino';
import { type Document, type Documents, type Query } from '../../../../contracts/ports/documents';
import type { WakeUps } from '../../../../contracts/ports/wake-ups';
import { EngineUnavailable } from '../../../../contracts/engine/engine-unavailable';
import { withTimeout } from '../../../../contracts/retry/with-timeout';
import { changedParts } from '../changed-parts';
import { validateSpec } from '../collection-spec';
import { scanPages } from '../pagination';
import { openCatalog } from './catalog';
import { openCheckpoints } from './checkpoints';
import { createCircuitBreaker } from './circuit-breaker';
import { createCollectionReads, MAX_IDS } from './collection-reads';
import { commit } from './commit';
import { connect } from './connect';
import { createCounterIndex, deleteCounters } from './counters';
import { create, declareOne } from './declare';
import { MAJORITY } from './durability';
import { isNoServer, isNoSuchCollection, translatingErrors } from './errors';
import { takeOverOldLayout } from './old-layout';
import { checkServer } from './opening-check';
import { CATALOG, CHECKPOINTS, COUNTERS } from './stored-document';

export interface MongoDocumentsOptions {
  readonly url: string;
  /** Default: the one in the URL, else `tidemark`. */
  readonly database?: string;
  readonly wakeUps: WakeUps;
  /** Told when data of an older version are taken over. */
  readonly logger?: Pick<Logger, 'info'>;
  /**
   * Where pages and scans are read; default `primary`. Secondaries may lag behind what was committed and behind
   * `checkpoint`, so they are for reports and exports. All else is read from the primary.
   */
  readonly reads?: 'primary' | 'secondaryPreferred';
}

/** For a page; the URL may give another one as `socketTimeoutMS`. */
const READ_TIMEOUT_MS = 5_000;
/** As long as MongoDB lets a transaction run. */
const COMMIT_TIMEOUT_MS = 60_000;

/** At a time, fewer than a client has connections. */
const MAX_TRANSACTIONS = 20;

const wakeUpName = (collection: string): string => `documents/${collection}`;

const databaseIn = (url: string): string => /^[^/]+:\/\/[^/]+\/([^?]+)/.exec(url)?.[1] ?? 'tidemark';

/**
 * Documents in MongoDB 4.4 or newer, a replica set of one or more members. A commit is a transaction.
 * @throws CannotOpen
 */
export async function openMongoDocuments(options: MongoDocumentsOptions): Promise<Documents> {
  const { url, database = databaseIn(url), wakeUps, reads: preference = 'primary', logger } = options;
  const closing = `documents/closing/${randomUUID()}`;
  const notify = (collections: readonly string[]): void => wakeUps.notify(collections.map(wakeUpName));
  const { client, writer, db, catalog } = await connect(url, async client => {
    const db = client.db(database, { writeConcern: MAJORITY });
    await checkServer(client, db);
    for (const name of [CATALOG, CHECKPOINTS, COUNTERS]) await create(db, name);
    await createCounterIndex(db);
    const catalog = openCatalog(db);
    await takeOverOldLayout(db, catalog, logger);
    // Connections of their own: an open transaction must not wait for one behind reads, nor behind others that wait for it.
    // They are made now: a client whose first operation finds no server fails for good.
    const writer = await connect(url, async writer => writer);
    return { client, writer, db, catalog };
  });
  const checkpoints = openCheckpoints(db);
  const writerDb = writer.db(database, { writeConcern: MAJORITY });
  const transactions = new Semaphore(MAX_TRANSACTIONS);
  const commitDeps = {
    client: writer,
    db: writerDb,
    catalog: openCatalog(writerDb),
    checkpoints: openCheckpoints(writerDb),
  };

  const breaker = createCircuitBreaker(() => db.command({ ping: 1 }), isNoServer);
  const guarded = <Result>(work: () => Promise<Result>): Promise<Result> =>
    translatingErrors(() => breaker.execute(work));
  const readTimeoutMs = client.options.socketTimeoutMS || READ_TIMEOUT_MS;
  const read = <Result>(work: () => Promise<Result>, pages = 1, execute = guarded): Promise<Result> =>
    execute(() => limited(readTimeoutMs * pages, work()));
  const write = <Result>(work: () => Promise<Result>): Promise<Result> =>
    guarded(() => limited(Math.max(COMMIT_TIMEOUT_MS, readTimeoutMs), work()));

  const reads = createCollectionReads({ db, catalog, preference });
  const documents: Documents = {
    declare: (specs, declareOptions = {}) =>
      guarded(async () => {
        specs.forEach(validateSpec);
        for (const spec of specs) await declareOne(db, catalog, spec, declareOptions);
        notify(specs.map(({ name }) => name));
      }),
    drop: name =>
      write(async () => {
        await catalog.remove(name);
        await db
          .collection(name)
          .drop()
          .catch((error: unknown) => {
            if (!isNoSuchCollection(error)) throw error;
          });
        await deleteCounters(db, name);
        notify([name]);
      }),
    get: async <D extends Document>(name: string, id: string) =>
      (await documents.getMany<D>(name, [id])).get(id) ?? null,
    getMany: <D extends Document>(name: string, ids: readonly string[]) =>
      read(() => reads.getMany<D>(name, ids), Math.ceil(ids.length / MAX_IDS) || 1),
    find: <D extends Document>(name: string, query: Query) =>
      read(
        () => reads.find<D>(name, query),
        1,
        // The circuit breaker is about the primary.
        preference === 'primary' ? guarded : translatingErrors,
      ),
    scan: (name, query) => scanPages(documents.find, name, query),
    count: (name, equals = {}) => read(() => reads.count(name, equals)),
    commit: async changes => {
      await write(() => transactions.runExclusive(() => commit(commitDeps, changes)));
      for (const [name, parts] of changedParts(changes.writes)) wakeUps.notify([wakeUpName(name)], parts);
    },
    checkpoint: name => read(() => checkpoints.read(name)),
    waitForChange: (collections, timeoutMs) =>
      wakeUps.wait([...collections.map(wakeUpName), closing], timeoutMs),
    subscribe: (name, onChange) => wakeUps.subscribe(wakeUpName(name), onChange),
    close: async () => {
      wakeUps.notify([closing]);
      breaker.close();
      await client.close();
      await writer.close();
    },
  };
  return documents;
}

/** What is not answered in time goes on, until a failed heartbeat ends it. */
function limited<Result>(timeoutMs: number, work: Promise<Result>): Promise<Result> {
  return withTimeout(timeoutMs, work, () => {
    throw new EngineUnavailable('documents', `MongoDB did not answer within ${timeoutMs} ms`);
  });
}
