import { clients } from './client';
import { consume } from './consumer';
import { checkConnection } from './opening';
import type { KafkaLogOptions } from './options';
import { retryingFor } from './producer';
import { readPartition } from './partition-reader';
import { createPublisher } from './publisher';
import { renewable } from './renewable';
import { createTopics } from './topics';
import type { Log } from '../../../../contracts/ports/log';

/** How long a question to the brokers is repeated. */
const ASKING_MS = 3000;

/** In the order of the partitions. A group that has not been in one has a negative offset there. */
const inOrder = (partitions: readonly { readonly partition: number; readonly offset: string }[]): number[] =>
  [...partitions].sort((a, b) => a.partition - b.partition).map(({ offset }) => Math.max(0, Number(offset)));

/**
 * The log on a cluster of Apache Kafka, 2.4 or later, or what speaks its protocol. What the brokers do not do for now
 * is EngineUnavailable, except that `consume`, once it is under way, joins again until it succeeds.
 * @throws CannotOpen
 */
export async function openKafkaLog(options: KafkaLogOptions): Promise<Log> {
  const { prefix = '', replication, logger } = options;
  const { largestMessage = 1_048_588, patience = 30_000, session = 10_000 } = options;
  const client = clients(options);
  await checkConnection(client({ retries: options.brokers.length }).admin());

  const admin = renewable(() => client().admin(), ASKING_MS);
  const topics = createTopics(admin, prefix, replication);
  const publisher = createPublisher(() => client(retryingFor(patience)), { patience, largestMessage });

  const ends = async (name: string): Promise<number[]> => {
    const { remote } = await topics.find(name);
    return inOrder(await admin.use(used => used.fetchTopicOffsets(remote)));
  };

  return {
    declare: topics.declare,
    publish: async (name, messages) => {
      if (messages.length > 0) await publisher.publish(await topics.find(name), messages);
    },
    consume: async ({ group, topics: names, ...rest }, handle) => {
      const wanted = await Promise.all([...new Set(names)].map(topics.find));
      const member = { ...rest, group: prefix + group, topics: wanted, session, handle, ends };
      await consume(client, member, logger);
    },
    read: async function* (wanted) {
      yield* readPartition(client, patience, await topics.find(wanted.topic), wanted);
    },
    ends,
    committed: async (group, name) => {
      const { remote } = await topics.find(name);
      const found = await admin.use(used => used.fetchOffsets({ groupId: prefix + group, topics: [remote] }));
      return inOrder(found[0]!.partitions);
    },
    close: async () => {
      await publisher.close();
      await admin.close();
    },
  };
}
