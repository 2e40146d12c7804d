import type { Logger } from 'pino';
import { openAll } from './open-all';
import type { Config } from '../config/settings';
import type { Documents } from '../../contracts/ports/documents';
import type { EventStore } from '../../contracts/ports/event-store';
import type { Jobs } from '../../contracts/ports/jobs';
import type { Log } from '../../contracts/ports/log';
import type { Mailbox, MailboxLimits } from '../../contracts/ports/mailbox';
import { prefixedStreams } from './event-store/prefixed-streams';
import { sharedSubscription } from './event-store/shared-subscription';
import { deferredWakeUps } from './wake-ups/deferred';
import type { WakeUps } from '../../contracts/ports/wake-ups';

/*
 * The engines that several processes share. Their clients are imported when needed: loading them takes longer than opening
 * the embedded engines.
 */

/** @throws CannotOpen */
export async function openDistributedEventStore(
  url: string,
  prefix?: string,
  logger?: Logger,
): Promise<EventStore> {
  const { openEventStoreDb } = await import('./event-store/eventstoredb/eventstoredb-event-store.js');
  const store = await openEventStoreDb({ url, ...(logger && { logger }) });
  return sharedSubscription(prefix === undefined ? store : prefixedStreams(store, prefix));
}

/** @throws CannotOpen */
export async function openDistributedLog(config: Config, logger: Logger): Promise<Log> {
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

/** For changes by other processes, without Redis to signal them. */
const POLL_MS = 20;

/** @throws CannotOpen */
export async function openDistributedDocuments(config: Config, logger: Logger): Promise<Documents> {
  const { openMongoDocumentsOfAnyLayout } = await import('./documents/old-mongodb-layout.js');
  const { MONGODB_URL, MONGODB_READS } = config;
  const opening = openWakeUps(config, logger);
  const [wakeUps, documents] = await openAll([
    () => opening,
    () =>
      openMongoDocumentsOfAnyLayout({
        url: MONGODB_URL!,
        reads: MONGODB_READS,
        wakeUps: deferredWakeUps(opening),
        logger,
      }),
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
  return createPollingWakeUps(POLL_MS);
}

/** @throws CannotOpen */
export async function openDistributedJobs(config: Config, logger: Logger): Promise<Jobs> {
  const { openBullMqJobs } = await import('./jobs/bullmq/bullmq-jobs.js');
  return openBullMqJobs({ url: config.REDIS_URL!, logger });
}

/** @throws CannotOpen */
export async function openDistributedMailbox(
  config: Config,
  logger: Logger,
  limits: Partial<MailboxLimits>,
): Promise<Mailbox> {
  const { openRedisMailbox } = await import('./mailbox/redis/redis-mailbox.js');
  return openRedisMailbox({ url: config.REDIS_URL!, limits, logger });
}
