import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { WakeUps } from '../../wake-ups/port';
import { type Collection, openCatalog } from './catalog';
import { createCommits } from './commit';
import { connect } from './connect';
import { countOf, forgetCounters, layOutCounters } from './counters';
import { declareOne } from './declare';
import { isNoServer, isNoSuchCollection, translating } from './errors';
import { findPage } from './find';
import { createGate } from './gate';
import { takeOver } from './help';
import { openJournal } from './journal';
import type { Stored } from './layout';
import { openSequence } from './sequence';
import { checkSpec } from '../names';
import { scanBy } from '../paging';
import {
  type Document,
  type Documents,
  type Query,
  UnanswerableQuery,
} from '../../../../contracts/ports/documents';

export interface MongoDocumentsOptions {
  readonly url: string;
  /** Default: the one the URL names, else `tidemark`. */
  readonly database?: string;
  readonly wakeUps: WakeUps;
  /**
   * Where pages and scans are read; default `primary`. On secondaries they may be older than what was committed and
   * than what `checkpoint` says, so this is for reports and exports. All else is read from the primary.
   */
  readonly reads?: 'primary' | 'secondaryPreferred';
}

const MOST_IDS = 1_000;

const databaseIn = (url: string): string => /^[^/]+:\/\/[^/]+\/([^?]+)/.exec(url)?.[1] ?? 'tidemark';

/**
 * Documents in MongoDB 4.4 or newer, a single server or a replica set, without transactions. A commit is decided by one
 * write and then carried out, by its writer or by whoever comes after him; until then readers may see part of it.
 *
 * What is counted or unique is looked at before that one write. A document of a collection with counts shall therefore
 * have one writer at a time, such as the commits under one checkpoint, and of two writers who take one unique value in
 * the same moment the later one is told `DuplicateKey` when all of his commit but that document is written.
 * @throws CannotOpen
 */
export async function openMongoDocuments(options: MongoDocumentsOptions): Promise<Documents> {
  const { url, database = databaseIn(url), wakeUps, reads = 'primary' } = options;
  const id = randomUUID();
  const closing = `documents/closing/${id}`;
  const announce = (collections: readonly string[]): void =>
    wakeUps.announce(collections.map(name => `documents/${name}`));
  const { client, db, catalog, commits } = await connect(url, async connected => {
    const opened = connected.db(database);
    await layOutCounters(opened);
    const deps = {
      db: opened,
      catalog: openCatalog(opened),
      journal: openJournal(opened, announce),
      sequence: await openSequence(opened),
      ownLane: `client ${id}`,
      announce,
    };
    const begun = { ...deps, client: connected, commits: createCommits(deps) };
    await takeOver(deps.journal);
    return begun;
  });

  const gate = createGate(() => db.command({ ping: 1 }), isNoServer);
  const guarded = <Result>(work: () => Promise<Result>): Promise<Result> =>
    translating(() => gate.pass(work));

  const reading = <Result>(work: () => Promise<Result>, through = guarded): Promise<Result> =>
    through(async () => {
      await commits.recover();
      return work();
    });

  /** What is known of a collection may be older than the question, so it is read again when there is no answer to it. */
  const asking = async <Result>(
    name: string,
    answer: (collection: Collection) => Promise<Result>,
  ): Promise<Result> => {
    const known = await catalog.known(name);
    try {
      return await answer(known);
    } catch (error) {
      if (!(error instanceof UnanswerableQuery)) throw error;
      const fresh = (await catalog.fresh([name])).get(name)!;
      if (isDeepStrictEqual(known, fresh)) throw error;
      return answer(fresh);
    }
  };

  /** Nothing found: because nothing is there, or because the collection was dropped. */
  const orUnknown = async <Result>(name: string, nothing: boolean, result: Result): Promise<Result> => {
    if (nothing) await catalog.fresh([name]);
    return result;
  };

  const byIds = async <D extends Document>(name: string, ids: readonly string[]): Promise<Map<string, D>> => {
    const found = new Map<string, D>();
    for (let i = 0; i < ids.length; i += MOST_IDS) {
      const filter = { _id: { $in: ids.slice(i, i + MOST_IDS) } };
      const page = db.collection<Stored>(name).find(filter, { projection: { body: 1 } });
      for await (const { body } of page) {
        if (body === undefined) continue;
        const document = JSON.parse(body) as D;
        found.set(document._id, document);
      }
    }
    return found;
  };

  const documents: Documents = {
    declare: (specs, declaring = {}) =>
      guarded(async () => {
        specs.forEach(checkSpec);
        for (const spec of specs) await declareOne(db, catalog, spec, declaring);
        announce(specs.map(({ name }) => name));
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
        await forgetCounters(db, name);
        announce([name]);
      }),
    get: async <D extends Document>(name: string, one: string) =>
      (await documents.getMany<D>(name, [one])).get(one) ?? null,
    getMany: <D extends Document>(name: string, ids: readonly string[]) =>
      reading(async () => {
        await catalog.known(name);
        const found = await byIds<D>(name, ids);
        return orUnknown(name, found.size === 0, found);
      }),
    find: <D extends Document>(name: string, query: Query) =>
      reading(
        async () => {
          const page = await asking(name, collection => findPage<D>(db, collection, query, reads));
          return orUnknown(name, page.documents.length === 0, page);
        },
        // The gate tells of the primary.
        reads === 'primary' ? guarded : translating,
      ),
    scan: (name, query) => scanBy(documents.find, name, query),
    count: (name, equals = {}) =>
      reading(async () => {
        const number = await asking(name, collection => countOf(db, collection, equals));
        return orUnknown(name, number === 0, number);
      }),
    commit: commit => guarded(() => commits.commit(commit)),
    checkpoint: name => guarded(() => commits.checkpoint(name)),
    changed: (collections, timeout) =>
      wakeUps.changed([...collections.map(name => `documents/${name}`), closing], timeout),
    close: async () => {
      wakeUps.announce([closing]);
      gate.close();
      await client.close();
    },
  };
  return documents;
}
