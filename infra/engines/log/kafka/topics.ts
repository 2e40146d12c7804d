import { setTimeout as pause } from 'node:timers/promises';
import { type Admin, type ITopicMetadata, KafkaJSAggregateError } from 'kafkajs';
import { CannotOpen } from '../../../config/cannot-open';
import type { TopicSpec } from '../../../../contracts/ports/log';
import { describeError, protocolError } from './errors';
import type { ReconnectingClient } from './reconnecting-client';

export interface Topic {
  /** Without the prefix. */
  readonly name: string;
  /** With the prefix, as known to the brokers. */
  readonly remote: string;
  readonly partitions: number;
}

export interface Topics {
  /** @throws CannotOpen when a topic exists with another number of partitions, or the brokers refuse to create it */
  declare(specs: readonly TopicSpec[]): Promise<void>;
  /** @throws Error when the topic does not exist */
  find(name: string): Promise<Topic>;
}

/** A new topic reaches the brokers one after the other. */
const MAX_METADATA_POLLS = 50;
const METADATA_POLL_MS = 100;

const UNKNOWN = ['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE'];

/** Overrides the default retention of the brokers: deleted chain messages would not be fetched again. */
const CLEANUP: Record<TopicSpec['cleanup'], Record<string, string>> = {
  delete: { 'cleanup.policy': 'delete', 'retention.ms': '-1', 'retention.bytes': '-1' },
  compact: { 'cleanup.policy': 'compact' },
};

const configOf = (cleanup: TopicSpec['cleanup'], replicationFactor: number | undefined) =>
  Object.entries({
    ...CLEANUP[cleanup],
    ...(replicationFactor === undefined
      ? {}
      : { 'min.insync.replicas': String(Math.max(1, replicationFactor - 1)) }),
  }).map(([name, value]) => ({ name, value }));

/** Partition counts of a topic never change, so they are cached. */
export function createTopics(
  admin: ReconnectingClient<Admin>,
  prefix: string,
  replicationFactor: number | undefined,
): Topics {
  const cache = new Map<string, Topic>();

  const lookUp = async (client: Admin, name: string): Promise<Topic | null> => {
    const remote = prefix + name;
    let found: ITopicMetadata | undefined;
    try {
      const { topics } = await client.fetchTopicMetadata({ topics: [remote] });
      found = topics.find(topic => topic.name === remote);
    } catch (error) {
      if (!UNKNOWN.includes(protocolError(error) ?? '')) throw error;
    }
    if (!found || found.partitions.length === 0) return null;
    const topic = { name, remote, partitions: found.partitions.length };
    cache.set(name, topic);
    return topic;
  };

  const create = async (client: Admin, { name, partitions, cleanup }: TopicSpec): Promise<Topic> => {
    const topic = {
      topic: prefix + name,
      numPartitions: partitions,
      replicationFactor: replicationFactor ?? -1,
      configEntries: configOf(cleanup, replicationFactor),
    };
    try {
      await client.createTopics({ topics: [topic], waitForLeaders: true });
    } catch (error) {
      if (!(error instanceof KafkaJSAggregateError)) throw error;
      const reasons = error.errors.map(describeError).join(', ');
      throw new CannotOpen('KAFKA_BROKERS', `topic ${topic.topic} cannot be created: ${reasons}`, {
        cause: error,
      });
    }
    for (let poll = 0; poll < MAX_METADATA_POLLS; poll += 1) {
      const created = await lookUp(client, name);
      if (created) return created;
      await pause(METADATA_POLL_MS);
    }
    throw new Error(`topic ${prefix}${name} was created but is still unknown to the brokers`);
  };

  const ensure = async (spec: TopicSpec): Promise<void> => {
    const { name, partitions } = spec;
    if (!Number.isSafeInteger(partitions) || partitions < 1)
      throw new TypeError(`topic ${name}: invalid number of partitions: ${partitions}`);
    const topic =
      cache.get(name) ??
      (await admin.use(async client => (await lookUp(client, name)) ?? (await create(client, spec))));
    if (topic.partitions !== partitions)
      throw new CannotOpen(
        'KAFKA_BROKERS',
        `topic ${topic.remote} has ${topic.partitions} partitions instead of ${partitions}: ` +
          'keys would change their partition, so a new topic is needed',
      );
  };

  return {
    declare: async specs => {
      for (const spec of specs) await ensure(spec);
    },
    find: async name => {
      const topic = cache.get(name) ?? (await admin.use(client => lookUp(client, name)));
      if (!topic)
        throw new Error(`topic ${prefix}${name} has not been declared: a program does it when it starts`);
      return topic;
    },
  };
}
