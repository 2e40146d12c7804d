import { setImmediate as turn } from 'node:timers/promises';
import type { Kafka } from 'kafkajs';
import { partitionOf } from '../partitioner';
import type { NewMessage } from '../../../../contracts/ports/log';
import { unavailable } from './errors';
import { recordBytes, type PendingRecord, nextBatch } from './produce-batch';
import { openProducer, type Producer } from './producer';
import type { Topic } from './topics';

interface Publish {
  remaining: number;
  resolve(): void;
  reject(error: unknown): void;
}

export interface Publisher {
  publish(topic: Topic, messages: readonly NewMessage[]): Promise<void>;
  /** Waits for pending publishes. */
  close(): Promise<void>;
}

export interface PublisherOptions {
  readonly deliveryTimeoutMs: number;
  readonly maxMessageBytes: number;
}

const BATCH_OVERHEAD = 100;

/**
 * Sends one request at a time; records that arrive meanwhile share the next. This is not only for speed: kafkajs reuses the
 * sequence numbers of a failed request for the next one, and the broker can recognize a repetition only if that is the
 * same request. So a producer whose request has finally failed is not used again.
 */
export function createPublisher(
  client: () => Kafka,
  { deliveryTimeoutMs, maxMessageBytes }: PublisherOptions,
): Publisher {
  const maxBatchBytes = maxMessageBytes - BATCH_OVERHEAD;
  let queue: PendingRecord<Publish>[] = [];
  let running: Promise<void> | null = null;
  let producer: Producer | null = null;

  const abandon = async (): Promise<void> => {
    const current = producer;
    producer = null;
    await current?.abandon();
  };

  const send = async (records: readonly PendingRecord<Publish>[]): Promise<void> => {
    const deadline = Date.now() + deliveryTimeoutMs;
    producer ??= await openProducer(client, deadline);
    await producer.send(records, deadline);
  };

  const run = async (): Promise<void> => {
    while (queue.length > 0) {
      // After the poll phase, so that what the sockets delivered in this turn shares the request.
      await turn();
      const records = nextBatch(queue, maxBatchBytes);
      try {
        await send(records);
        for (const { publish } of records) if ((publish.remaining -= 1) === 0) publish.resolve();
      } catch (error) {
        void abandon();
        // Queued publishes have waited as long and would fail too.
        const failed = new Set([...records, ...queue].map(({ publish }) => publish));
        queue = [];
        for (const { reject } of failed) reject(unavailable(error));
      }
    }
    running = null;
  };

  const toPendingRecord = (
    topic: Topic,
    publish: Publish,
    { key, value, headers = {} }: NewMessage,
  ): PendingRecord<Publish> => {
    const bytes = recordBytes(key, value, headers);
    if (bytes > maxBatchBytes)
      throw new RangeError(
        `a message of ${value.length} bytes is too large: the maximum is ${maxBatchBytes}`,
      );
    // Brokers take a message without a value for a tombstone, and one whose value is empty for any other.
    const message = { key, value: value.length === 0 ? null : value, headers: { ...headers } };
    return { publish, topic, partition: partitionOf(key, topic.partitions), message, bytes };
  };

  return {
    publish: (topic, messages) =>
      new Promise((resolve, reject) => {
        const publish = { remaining: messages.length, resolve, reject };
        const records = messages.map(message => toPendingRecord(topic, publish, message));
        for (const record of records) queue.push(record);
        running ??= run();
      }),
    close: async () => {
      await running;
      await abandon();
    },
  };
}
