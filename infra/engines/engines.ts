import { join } from 'node:path';
import type { Logger } from 'pino';
import { allOrNone } from './open-all';
import { CannotOpen } from './cannot-open';
import { WrongSettings, type Config } from '../program/config';
import { makeDataDir } from '../program/data-dir';
import { distributedDocuments, distributedJobs, distributedLog, distributedStore } from './distributed';
import type { Documents } from '../../contracts/ports/documents';
import { openSqliteDocuments } from './documents/sqlite/sqlite-documents';
import type { EventStore } from '../../contracts/ports/event-store';
import { openSqliteEventStore } from './event-store/sqlite/sqlite-event-store';
import type { Jobs } from '../../contracts/ports/jobs';
import { openSqliteJobs } from './jobs/sqlite/sqlite-jobs';
import type { Log } from '../../contracts/ports/log';
import { openSqliteLog } from './log/sqlite/sqlite-log';
import { UnusableDatabase } from './sqlite/errors';

/** The four engines that everything above knows as ports. */
export interface Engines {
  readonly store: EventStore;
  readonly log: Log;
  readonly documents: Documents;
  /**
   * For the few documents that must really be gone when they are deleted, and that no projection could make anew.
   * Embedded, a file of its own that keeps no remnants; otherwise the documents themselves.
   */
  readonly vault: Documents;
  readonly jobs: Jobs;
  close(): Promise<void>;
}

/** The settings that name a server; where one is unset the engine is embedded. */
const SERVERS = ['EVENTSTORE_URL', 'KAFKA_BROKERS', 'MONGODB_URL', 'REDIS_URL'] as const;

/** Whether several processes can share all engines. */
export function isDistributed(config: Config): boolean {
  return SERVERS.every(name => config[name] !== undefined);
}

/** @throws WrongSettings when an engine is embedded: its file is for one process */
export function assertDistributed(config: Config): void {
  const unset = SERVERS.filter(name => config[name] === undefined);
  if (unset.length > 0)
    throw new WrongSettings(
      `${unset.join(', ')}: must be set for roles in processes of their own; \`tidemark start\` plays all roles in one`,
    );
}

type Place = Pick<Config, 'DATA_DIR'>;

const inDataDir =
  <Engine>(file: string, open: (options: { readonly path: string }) => Engine) =>
  ({ DATA_DIR }: Place): Engine => {
    makeDataDir(DATA_DIR);
    try {
      return open({ path: join(DATA_DIR, file) });
    } catch (error) {
      throw error instanceof UnusableDatabase
        ? new CannotOpen('DATA_DIR', error.message, { cause: error })
        : error;
    }
  };

/** A file each, so that the writes of a rebuild never queue before an append. */
const embedded = {
  store: inDataDir('events.sqlite', openSqliteEventStore),
  log: inDataDir('log.sqlite', openSqliteLog),
  documents: inDataDir('documents.sqlite', openSqliteDocuments),
  vault: inDataDir('vault.sqlite', ({ path }) => openSqliteDocuments({ path, overwriting: true })),
  jobs: inDataDir('jobs.sqlite', openSqliteJobs),
};

/** All four in the data folder. @throws CannotOpen */
export function openEmbeddedEngines(place: Place): Engines {
  return closable({
    store: embedded.store(place),
    log: embedded.log(place),
    documents: embedded.documents(place),
    vault: embedded.vault(place),
    jobs: embedded.jobs(place),
  });
}

/** What tells which event store is meant. */
export type StoreSettings = Pick<Config, 'DATA_DIR' | 'EVENTSTORE_URL'>;

/** The event store that the settings name: another client of it each time. @throws CannotOpen */
export async function openStore(settings: StoreSettings, logger?: Logger): Promise<EventStore> {
  return settings.EVENTSTORE_URL
    ? distributedStore(settings.EVENTSTORE_URL, logger)
    : embedded.store(settings);
}

/**
 * The engines that the settings name, each a server or embedded.
 * @throws CannotOpen; when there are several, an AggregateError that names them all
 */
export async function openEngines(config: Config, logger: Logger): Promise<Engines> {
  if (SERVERS.every(name => config[name] === undefined)) return openEmbeddedEngines(config);
  const { MONGODB_URL } = config;
  const [store, log, documents, jobs, ownVault] = await allOrNone([
    () => openStore(config, logger),
    async () => (config.KAFKA_BROKERS ? distributedLog(config, logger) : embedded.log(config)),
    async () => (MONGODB_URL ? distributedDocuments(config, logger) : embedded.documents(config)),
    async () => (config.REDIS_URL ? distributedJobs(config, logger) : embedded.jobs(config)),
    ...(MONGODB_URL ? [] : [async () => embedded.vault(config)]),
  ]);
  return closable({ store, log, documents, vault: ownVault ?? documents, jobs });
}

const closable = (engines: Omit<Engines, 'close'>): Engines => ({
  ...engines,
  async close() {
    const { store, log, documents, vault, jobs } = engines;
    const ownVault = vault === documents ? [] : [vault];
    await Promise.all([store, log, documents, jobs, ...ownVault].map(engine => engine.close()));
  },
});
