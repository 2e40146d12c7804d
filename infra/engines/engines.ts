import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { openAll } from './open-all';
import { CannotOpen } from '../config/cannot-open';
import { WrongSettings, type Config } from '../config/settings';
import { makeDataDir } from '../config/data-dir';
import {
  openDistributedDocuments,
  openDistributedJobs,
  openDistributedLog,
  openDistributedMailbox,
  openDistributedEventStore,
} from './distributed-engines';
import type { Documents } from '../../contracts/ports/documents';
import { openSqliteDocuments } from './documents/sqlite/sqlite-documents';
import type { EventStore } from '../../contracts/ports/event-store';
import { foreignEvents, type ForeignEvents } from './event-store/foreign-events';
import { ownEventsOf } from './event-store/own-events';
import { openSqliteEventStore } from './event-store/sqlite/sqlite-event-store';
import type { Jobs } from '../../contracts/ports/jobs';
import { madeWithFirstJob } from './jobs/sqlite/made-with-first-job';
import { openSqliteJobs } from './jobs/sqlite/sqlite-jobs';
import type { Log } from '../../contracts/ports/log';
import { openSqliteLog } from './log/sqlite/sqlite-log';
import type { Mailbox, MailboxLimits } from '../../contracts/ports/mailbox';
import { openSqliteMailbox } from './mailbox/sqlite/sqlite-mailbox';
import { UnusableDatabase } from './sqlite/errors';

/** The engines behind the ports. */
export interface Engines {
  readonly store: EventStore;
  readonly log: Log;
  readonly documents: Documents;
  /**
   * For the few documents that must be erased physically, and that no projection can rebuild. Embedded, a file of its own
   * with secure deletion; otherwise the documents themselves.
   */
  readonly vault: Documents;
  readonly jobs: Jobs;
  /** What others have written into the streams of the event store; nothing reads them. */
  readonly foreignEvents: Pick<ForeignEvents, 'report'>;
  close(): Promise<void>;
}

/** Without its setting an engine is embedded. */
const SERVER_SETTINGS = ['EVENTSTORE_URL', 'KAFKA_BROKERS', 'MONGODB_URL', 'REDIS_URL'] as const;

/** Whether several processes can share all engines. */
export function isDistributed(config: Config): boolean {
  return SERVER_SETTINGS.every(name => config[name] !== undefined);
}

/** The settings that name servers, of those that are set. */
export function serversOf(config: Config): string[] {
  return SERVER_SETTINGS.filter(name => config[name] !== undefined);
}

/** @param why it is needed, after "must be set" @throws WrongSettings when an engine is embedded */
export function assertDistributed(config: Config, why: string): void {
  const unset = SERVER_SETTINGS.filter(name => config[name] === undefined);
  if (unset.length > 0) throw new WrongSettings(`${unset.join(', ')}: must be set${why}`);
}

type DataDir = Pick<Config, 'DATA_DIR'>;

const inDataDir =
  <Engine>(file: string, open: (options: { readonly path: string }) => Engine) =>
  ({ DATA_DIR }: DataDir): Engine => {
    makeDataDir(DATA_DIR);
    try {
      return open({ path: join(DATA_DIR, file) });
    } catch (error) {
      throw error instanceof UnusableDatabase
        ? new CannotOpen('DATA_DIR', error.message, { cause: error })
        : error;
    }
  };

/** A file each, so that appends never wait for the writes of a rebuild. */
export const EMBEDDED_FILES = {
  store: 'events.sqlite',
  log: 'log.sqlite',
  documents: 'documents.sqlite',
  vault: 'vault.sqlite',
  jobs: 'jobs.sqlite',
  mailbox: 'mailbox.sqlite',
} as const;

/**
 * Paths of the databases of the embedded engines, in the order of a backup: what is derived first. Without jobs, which are made
 * again, and messages, which expire within minutes.
 */
export function embeddedFiles(
  config: DataDir & Partial<Pick<Config, 'EVENTSTORE_URL' | 'KAFKA_BROKERS' | 'MONGODB_URL'>>,
): string[] {
  const { documents, log, store, vault } = EMBEDDED_FILES;
  return [
    ...(config.MONGODB_URL ? [] : [documents]),
    ...(config.KAFKA_BROKERS ? [] : [log]),
    ...(config.EVENTSTORE_URL ? [] : [store]),
    ...(config.MONGODB_URL ? [] : [vault]),
  ].map(file => join(config.DATA_DIR, file));
}

const openEmbeddedJobs = inDataDir(EMBEDDED_FILES.jobs, openSqliteJobs);

const embedded = {
  store: inDataDir(EMBEDDED_FILES.store, openSqliteEventStore),
  log: inDataDir(EMBEDDED_FILES.log, openSqliteLog),
  documents: inDataDir(EMBEDDED_FILES.documents, openSqliteDocuments),
  vault: inDataDir(EMBEDDED_FILES.vault, ({ path }) => openSqliteDocuments({ path, secureDelete: true })),
  jobs: (settings: DataDir): Jobs => {
    const open = (): Jobs => openEmbeddedJobs(settings);
    return existsSync(join(settings.DATA_DIR, EMBEDDED_FILES.jobs)) ? open() : madeWithFirstJob(open);
  },
};

/** All in the data folder. @throws CannotOpen */
export function openEmbeddedEngines(settings: DataDir): Engines {
  const foreign = foreignEvents();
  return closable({
    store: ownEventsOf(embedded.store(settings), foreign),
    foreignEvents: foreign,
    log: embedded.log(settings),
    documents: embedded.documents(settings),
    vault: embedded.vault(settings),
    jobs: embedded.jobs(settings),
  });
}

/** The configured mailbox, which only the bridge needs. @param limits default: those of the adapters @throws CannotOpen */
export async function openMailbox(
  config: Config,
  logger: Logger,
  limits: Partial<MailboxLimits> = {},
): Promise<Mailbox> {
  if (config.REDIS_URL) return openDistributedMailbox(config, logger, limits);
  return inDataDir(EMBEDDED_FILES.mailbox, ({ path }) => openSqliteMailbox({ path, limits }))(config);
}

/** The settings that select the event store. */
export type StoreSettings = Pick<Config, 'DATA_DIR' | 'EVENTSTORE_URL' | 'EVENTSTORE_PREFIX'>;

/** A new client of the configured event store. @throws CannotOpen */
export async function openEventStore(
  settings: StoreSettings,
  logger?: Logger,
  foreign = foreignEvents(),
): Promise<EventStore> {
  const { EVENTSTORE_URL: url, EVENTSTORE_PREFIX: prefix } = settings;
  const store = url ? await openDistributedEventStore(url, prefix, logger) : embedded.store(settings);
  return ownEventsOf(store, foreign);
}

/**
 * The configured engines, each a server or embedded.
 * @throws CannotOpen; an AggregateError when several cannot be opened
 */
export async function openEngines(config: Config, logger: Logger): Promise<Engines> {
  if (SERVER_SETTINGS.every(name => config[name] === undefined)) return openEmbeddedEngines(config);
  const { MONGODB_URL } = config;
  const foreign = foreignEvents();
  const [store, log, documents, jobs, ownVault] = await openAll([
    () => openEventStore(config, logger, foreign),
    async () => (config.KAFKA_BROKERS ? openDistributedLog(config, logger) : embedded.log(config)),
    async () => (MONGODB_URL ? openDistributedDocuments(config, logger) : embedded.documents(config)),
    async () => (config.REDIS_URL ? openDistributedJobs(config, logger) : embedded.jobs(config)),
    ...(MONGODB_URL ? [] : [async () => embedded.vault(config)]),
  ]);
  return closable({ store, log, documents, vault: ownVault ?? documents, jobs, foreignEvents: foreign });
}

const closable = (engines: Omit<Engines, 'close'>): Engines => ({
  ...engines,
  async close() {
    const { store, log, documents, vault, jobs } = engines;
    const ownVault = vault === documents ? [] : [vault];
    await Promise.all([store, log, documents, jobs, ...ownVault].map(engine => engine.close()));
  },
});
