import type { Logger } from 'pino';
import { allOrNone } from './open-all';
import type { Config } from '../program/config';
import type { Documents } from '../../contracts/ports/documents';
import type { EventStore } from '../../contracts/ports/event-store';
import type { Jobs } from '../../contracts/ports/jobs';
import type { Log } from '../../contracts/ports/log';
import { toBeOpened } from './wake-ups/to-be-opened';
import type { WakeUps } from './wake-ups/port';

/*
 * The engines of more than one process. Their clients are loaded when they are used: they take longer to load than the
 * embedded engines take to open.
 */

/** @throws CannotOpen */
export async function distributedStore(url: string, logger?: Logger): Promise<EventStore> {
  const { openEventStoreDb } = await import('./event-store/eventstoredb/eventstoredb.js');
  return openEventStoreDb({ url, ...(logger && { logger }) });
}

/** @throws CannotOpen */
export async function distributedLog(config: Config, logger: Logger): Promise<Log> {
  const { openKafkaLog } = await import('./log/kafka/kafka-log.js');
  const { KAFKA_BROKERS, KAFKA_TLS, KAFKA_SASL_MECHANISM, KAFKA_USERNAME, KAFKA_PASSWORD } = config;
  return openKafkaLog({
    brokers: KAFKA_BROKERS!,
    clientId: 'tidemark',
    ssl: KAFKA_TLS,
    ...(KAFKA_SASL_MECHANISM && {
      sasl: {
        mechanism: KAFKA_SASL_MECHANISM,
        username: KAFKA_USERNAME ?? '',
        password: KAFKA_PASSWORD ?? '',
      },
    }),
    logger,
  });
}

/** Milliseconds after which a change by another process is seen where no Redis tells of it. */
const LOOK_EVERY = 20;

/** @throws CannotOpen */
export async function distributedDocuments(config: Config, logger: Logger): Promise<Documents> {
  const { openMongoDocuments } = await import('./documents/mongodb/mongodb-documents.js');
  const { MONGODB_URL, MONGODB_READS } = config;
  const opening = openWakeUps(config, logger);
  const [wakeUps, documents] = await allOrNone([
    () => opening,
    () => openMongoDocuments({ url: MONGODB_URL!, reads: MONGODB_READS, wakeUps: toBeOpened(opening) }),
  ]);
  const close = async (): Promise<void> => {
    await documents.close();
    await wakeUps.close();
  };
  return { ...documents, close };
}

async function openWakeUps(config: Config, logger: Logger): Promise<WakeUps> {
  if (config.REDIS_URL) {
    const { openRedisWakeUps } = await import('./wake-ups/redis.js');
    return openRedisWakeUps({ url: config.REDIS_URL, logger });
  }
  const { createPollingWakeUps } = await import('./wake-ups/polling.js');
  return createPollingWakeUps(LOOK_EVERY);
}

/** @throws CannotOpen */
export async function distributedJobs(config: Config, logger: Logger): Promise<Jobs> {
  const { openBullMqJobs } = await import('./jobs/bullmq/bullmq-jobs.js');
  return openBullMqJobs({ url: config.REDIS_URL!, logger });
}
