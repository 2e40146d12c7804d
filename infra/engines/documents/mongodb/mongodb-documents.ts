import { randomUUID } from 'node:crypto';
import { type Document, type Documents, type Query } from '../../../../contracts/ports/documents';
import type { WakeUps } from '../../../../contracts/ports/wake-ups';
import { changedParts } from '../changed-parts';
import { validateSpec } from '../collection-spec';
import { scanPages } from '../pagination';
import { openCatalog } from './catalog';
import { createCircuitBreaker } from './circuit-breaker';
import { createCollectionReads } from './collection-reads';
import { createCommits } from './commit';
import { connect } from './connect';
import { createCounterIndex, deleteCounters } from './counters';
import { declareOne } from './declare';
import { isNoServer, isNoSuchCollection, translatingErrors } from './errors';
import type { Operation } from './intent';
import { openJournal } from './journal';
import { recoverPending } from './recovery';
import { openSequence } from './sequence';

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

/** Whatever the URL asks for. On a server without a replica set, a majority alone does not wait for the journal. */
const DURABLE = { w: 'majority', journal: true } as const;

const wakeUpName = (collection: string): string => `documents/${collection}`;

const databaseIn = (url: string): string => /^[^/]+:\/\/[^/]+\/([^?]+)/.exec(url)?.[1] ?? 'tidemark';

/**
 * Documents in MongoDB 4.4 or newer, a single server or a replica set, without transactions. A commit is decided by one
 * write and then applied, by its writer or by the recovery; until then readers may see part of it.
 *
 * Counts and unique values are checked before that one write. A document of a collection with counts must therefore have
 * one writer at a time, such as the commits under one checkpoint; and when two writers take one unique value at the same
 * time, the later one gets `DuplicateKey` although the rest of its commit has been applied.
 * @throws CannotOpen
 */
export async function openMongoDocuments(options: MongoDocumentsOptions): Promise<Documents> {
  const { url, database = databaseIn(url), wakeUps, reads: preference = 'primary' } = options;
  const clientId = randomUUID();
  const closing = `documents/closing/${clientId}`;
  const notify = (collections: readonly string[]): void => wakeUps.notify(collections.map(wakeUpName));
  const notifyCommit = (operations: readonly Operation[]): void => {
    for (const [name, parts] of changedParts(operations)) wakeUps.notify([wakeUpName(name)], parts);
  };
  const { client, db, catalog, commits } = await connect(url, async connected => {
    const opened = connected.db(database, { writeConcern: DURABLE });
    const sequence = await openSequence(opened);
    await createCounterIndex(opened);
    const deps = {
      db: opened,
      catalog: openCatalog(opened),
      journal: openJournal(opened, notifyCommit),
      sequence,
      clientWriter: `client ${clientId}`,
      notify: notifyCommit,
    };
    await recoverPending(deps.journal);
    return { ...deps, client: connected, commits: createCommits(deps) };
  });

  const breaker = createCircuitBreaker(() => db.command({ ping: 1 }), isNoServer);
  const guarded = <Result>(work: () => Promise<Result>): Promise<Result> =>
    translatingErrors(() => breaker.execute(work));

  const read = <Result>(work: () => Promise<Result>, execute = guarded): Promise<Result> =>
    execute(async () => {
      await commits.recover();
      return work();
    });

  const reads = createCollectionReads({ db, catalog, preference });
  const documents: Documents = {
    declare: (specs, declareOptions = {}) =>
      guarded(async () => {
        specs.forEach(validateSpec);
        for (const spec of specs) await declareOne(db, catalog, spec, declareOptions);
        notify(specs.map(({ name }) => name));
      }),
    drop: name =>
      guarded(async () => {
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
      read(() => reads.getMany<D>(name, ids)),
    find: <D extends Document>(name: string, query: Query) =>
      read(
        () => reads.find<D>(name, query),
        // The circuit breaker is about the primary.
        preference === 'primary' ? guarded : translatingErrors,
      ),
    scan: (name, query) => scanPages(documents.find, name, query),
    count: (name, equals = {}) => read(() => reads.count(name, equals)),
    commit: commit => guarded(() => commits.commit(commit)),
    checkpoint: name => guarded(() => commits.checkpoint(name)),
    waitForChange: (collections, timeoutMs) =>
      wakeUps.wait([...collections.map(wakeUpName), closing], timeoutMs),
    subscribe: (name, onChange) => wakeUps.subscribe(wakeUpName(name), onChange),
    close: async () => {
      wakeUps.notify([closing]);
      breaker.close();
      await client.close();
    },
  };
  return documents;
}
