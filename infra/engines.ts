import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { WrongSettings, type Config } from './config';
import { distributedDocuments, distributedJobs, distributedLog, distributedStore } from './distributed';
import type { Documents } from './documents/port';
import { openSqliteDocuments } from './documents/sqlite';
import type { EventStore } from './event-store/port';
import { openSqliteEventStore } from './event-store/sqlite';
import type { Jobs } from './jobs/port';
import { openSqliteJobs } from './jobs/sqlite';
import type { Log } from './log/port';
import { openSqliteLog } from './log/sqlite';

/** The four engines that everything above knows as ports. */
export interface Engines {
  readonly store: EventStore;
  readonly log: Log;
  readonly documents: Documents;
  readonly jobs: Jobs;
  close(): Promise<void>;
}

/** The settings that name a server; where one is unset the engine is embedded. */
const SERVERS = ['EVENTSTORE_URL', 'KAFKA_BROKERS', 'MONGODB_URL', 'REDIS_URL'] as const;

/** Whether several processes can share all engines. */
export const isDistributed = (config: Config): boolean => SERVERS.every(name => config[name] !== undefined);

/** @throws WrongSettings when an engine is embedded: its file is for one process */
export function assertDistributed(config: Config): void {
  const unset = SERVERS.filter(name => config[name] === undefined);
  if (unset.length > 0)
    throw new WrongSettings(
      `${unset.join(', ')}: must be set for roles in processes of their own; \`tidemark start\` plays all roles in one`,
    );
}

/** A file each, so that the writes of a rebuild never queue before an append. */
const embedded = {
  store: ({ DATA_DIR }: Place) => openSqliteEventStore({ path: join(DATA_DIR, 'events.sqlite') }),
  log: ({ DATA_DIR }: Place) => openSqliteLog({ path: join(DATA_DIR, 'log.sqlite') }),
  documents: ({ DATA_DIR }: Place) => openSqliteDocuments({ path: join(DATA_DIR, 'documents.sqlite') }),
  jobs: ({ DATA_DIR }: Place) => openSqliteJobs({ path: join(DATA_DIR, 'jobs.sqlite') }),
};

type Place = Pick<Config, 'DATA_DIR'>;

/** All four in the data folder. @throws UnusableDatabase */
export function openEmbeddedEngines(place: Place): Engines {
  mkdirSync(place.DATA_DIR, { recursive: true });
  return closable({
    store: embedded.store(place),
    log: embedded.log(place),
    documents: embedded.documents(place),
    jobs: embedded.jobs(place),
  });
}

/** The engines that the settings name, each a server or embedded. @throws UnusableDatabase, CannotOpen */
export async function openEngines(config: Config, logger: Logger): Promise<Engines> {
  if (SERVERS.every(name => config[name] === undefined)) return openEmbeddedEngines(config);
  mkdirSync(config.DATA_DIR, { recursive: true });
  const opened = await allOrNone([
    config.EVENTSTORE_URL ? distributedStore(config, logger) : embedded.store(config),
    config.KAFKA_BROKERS ? distributedLog(config, logger) : embedded.log(config),
    config.MONGODB_URL ? distributedDocuments(config, logger) : embedded.documents(config),
    config.REDIS_URL ? distributedJobs(config, logger) : embedded.jobs(config),
  ]);
  const [store, log, documents, jobs] = opened;
  return closable({ store, log, documents, jobs });
}

type Opening<Engine> = Engine | Promise<Engine>;

/** When one cannot be opened, the others are closed again. */
async function allOrNone<Opened extends readonly { close(): Promise<void> }[]>(opening: {
  [Index in keyof Opened]: Opening<Opened[Index]>;
}): Promise<Opened> {
  const outcomes = await Promise.allSettled<Opened[number]>(opening as readonly Opening<Opened[number]>[]);
  const failed = outcomes.find(outcome => outcome.status === 'rejected');
  if (!failed) return Promise.all(opening) as unknown as Promise<Opened>;
  await Promise.allSettled(
    outcomes.map(outcome => (outcome.status === 'fulfilled' ? outcome.value.close() : undefined)),
  );
  throw failed.reason;
}

const closable = (engines: Omit<Engines, 'close'>): Engines => ({
  ...engines,
  async close() {
    const { store, log, documents, jobs } = engines;
    await Promise.all([store.close(), log.close(), documents.close(), jobs.close()]);
  },
});
