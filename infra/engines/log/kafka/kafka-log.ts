import { Mutex } from 'async-mutex';
import { createClientFactory } from './client';
import { consume } from './consumer';
import { checkConnection } from './check-connection';
import type { KafkaLogOptions } from './options';
import { retryOptionsFor } from './producer';
import { fetchPartition } from './partition-fetcher';
import { createPublisher } from './publisher';
import { reconnectingClient } from './reconnecting-client';
import { createTopics } from './topics';
import type { Log } from '../../../../contracts/ports/log';

/** How long requests for metadata and offsets are retried. */
const ADMIN_TIMEOUT_MS = 3000;

/** By partition number. The offset is negative where a group has committed none. */
const offsetsByPartition = (
  partitions: readonly { readonly partition: number; readonly offset: string }[],
): number[] =>
  [...partitions].sort((a, b) => a.partition - b.partition).map(({ offset }) => Math.max(0, Number(offset)));

/**
 * The log on Apache Kafka 2.4 or later, or a compatible broker. Unavailable brokers are EngineUnavailable, except that a
 * running `consume` joins again until it succeeds. Kafka deletes no single messages: there is no `deleteMessages`.
 * @throws CannotOpen
 */
export async function openKafkaLog(options: KafkaLogOptions): Promise<Log> {
  const { prefix = '', replicationFactor, logger } = options;
  const { maxMessageBytes = 1_048_588, deliveryTimeoutMs = 30_000, sessionTimeoutMs = 10_000 } = options;
  const client = createClientFactory(options);
  await checkConnection(client({ retries: options.brokers.length }).admin());

  const admin = reconnectingClient(() => client().admin(), ADMIN_TIMEOUT_MS);
  const topics = createTopics(admin, prefix, replicationFactor);
  const publisher = createPublisher(() => client(retryOptionsFor(deliveryTimeoutMs)), {
    deliveryTimeoutMs,
    maxMessageBytes,
  });

  // A call of kafkajs for one topic makes its client forget the leaders of all others, also those that another call is using.
  const offsets = reconnectingClient(() => client().admin(), ADMIN_TIMEOUT_MS);
  const reading = new Mutex();
  const endOffsets = async (name: string): Promise<number[]> => {
    const { remote } = await topics.find(name);
    const found = await offsets.use(used => reading.runExclusive(() => used.fetchTopicOffsets(remote)));
    return offsetsByPartition(found);
  };

  return {
    declare: topics.declare,
    publish: async (name, messages) => {
      if (messages.length > 0) await publisher.publish(await topics.find(name), messages);
    },
    consume: async ({ group, topics: names, ...rest }, handle) => {
      const subscribed = await Promise.all([...new Set(names)].map(topics.find));
      const member = {
        ...rest,
        group: prefix + group,
        topics: subscribed,
        sessionTimeoutMs,
        handle,
        endOffsets,
      };
      await consume(client, member, logger);
    },
    read: async function* (options) {
      yield* fetchPartition(client, deliveryTimeoutMs, await topics.find(options.topic), options);
    },
    endOffsets,
    committedOffsets: async (group, name) => {
      const { remote } = await topics.find(name);
      const found = await admin.use(used => used.fetchOffsets({ groupId: prefix + group, topics: [remote] }));
      return offsetsByPartition(found[0]!.partitions);
    },
    close: async () => {
      await publisher.close();
      await Promise.all([admin.close(), offsets.close()]);
    },
  };
}
