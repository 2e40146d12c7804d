import { setTimeout as pause } from 'node:timers/promises';
import { type Admin, type ITopicMetadata, KafkaJSAggregateError } from 'kafkajs';
import { CannotOpen } from '../../cannot-open';
import type { TopicSpec } from '../../../../contracts/ports/log';
import { inWords, refusalOf } from './failures';
import type { Renewable } from './renewable';

export interface Topic {
  /** As the port calls it. */
  readonly name: string;
  /** As the brokers call it. */
  readonly remote: string;
  readonly partitions: number;
}

export interface Topics {
  /** @throws CannotOpen when a topic is there with another number of partitions, or the brokers will not make it */
  declare(specs: readonly TopicSpec[]): Promise<void>;
  /** @throws Error when the topic is not there */
  find(name: string): Promise<Topic>;
}

/** Brokers learn of a new topic one after the other. */
const SETTLING = { times: 50, pause: 100 };

const UNKNOWN = ['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE'];

/** Chains and their dead letters are kept for ever, whatever the brokers' default: what was deleted is not fetched again. */
const CLEANUP: Record<TopicSpec['cleanup'], Record<string, string>> = {
  delete: { 'cleanup.policy': 'delete', 'retention.ms': '-1', 'retention.bytes': '-1' },
  compact: { 'cleanup.policy': 'compact' },
};

const configOf = (cleanup: TopicSpec['cleanup'], replication: number | undefined) =>
  Object.entries({
    ...CLEANUP[cleanup],
    ...(replication === undefined ? {} : { 'min.insync.replicas': String(Math.max(1, replication - 1)) }),
  }).map(([name, value]) => ({ name, value }));

/** Partition counts never change once a topic is there, so they are looked up once. */
export function createTopics(
  admin: Renewable<Admin>,
  prefix: string,
  replication: number | undefined,
): Topics {
  const known = new Map<string, Topic>();

  const look = async (client: Admin, name: string): Promise<Topic | null> => {
    const remote = prefix + name;
    let found: ITopicMetadata | undefined;
    try {
      const { topics } = await client.fetchTopicMetadata({ topics: [remote] });
      found = topics.find(topic => topic.name === remote);
    } catch (error) {
      if (!UNKNOWN.includes(refusalOf(error) ?? '')) throw error;
    }
    if (!found || found.partitions.length === 0) return null;
    const topic = { name, remote, partitions: found.partitions.length };
    known.set(name, topic);
    return topic;
  };

  const create = async (client: Admin, { name, partitions, cleanup }: TopicSpec): Promise<Topic> => {
    const topic = {
      topic: prefix + name,
      numPartitions: partitions,
      replicationFactor: replication ?? -1,
      configEntries: configOf(cleanup, replication),
    };
    try {
      await client.createTopics({ topics: [topic], waitForLeaders: true });
    } catch (error) {
      if (!(error instanceof KafkaJSAggregateError)) throw error;
      const reasons = error.errors.map(inWords).join(', ');
      throw new CannotOpen('KAFKA_BROKERS', `topic ${topic.topic} cannot be created: ${reasons}`, {
        cause: error,
      });
    }
    for (let time = 0; time < SETTLING.times; time += 1) {
      const created = await look(client, name);
      if (created) return created;
      await pause(SETTLING.pause);
    }
    throw new Error(`topic ${prefix}${name} was created, but does not appear`);
  };

  const ensure = async (spec: TopicSpec): Promise<void> => {
    const { name, partitions } = spec;
    if (!Number.isSafeInteger(partitions) || partitions < 1)
      throw new TypeError(`topic ${name}: ${partitions} is not a number of partitions`);
    const topic =
      known.get(name) ??
      (await admin.use(async client => (await look(client, name)) ?? (await create(client, spec))));
    if (topic.partitions !== partitions)
      throw new CannotOpen(
        'KAFKA_BROKERS',
        `topic ${topic.remote} has ${topic.partitions} partitions where ${partitions} are wanted: ` +
          'keys would change their partition, so that this can only be done with a new topic',
      );
  };

  return {
    declare: async specs => {
      for (const spec of specs) await ensure(spec);
    },
    find: async name => {
      const topic = known.get(name) ?? (await admin.use(client => look(client, name)));
      if (!topic) throw new Error(`topic ${prefix}${name} has not been declared`);
      return topic;
    },
  };
}
