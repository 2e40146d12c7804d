import { setImmediate as turn } from 'node:timers/promises';
import type { Kafka } from 'kafkajs';
import { partitionOf } from '../partitioner';
import type { NewMessage } from '../../../../contracts/ports/log';
import { unavailable } from './failures';
import { bytesOf, type Parcel, takeLoad } from './load';
import { openProducer, type Producer } from './producer';
import type { Topic } from './topics';

interface Publish {
  left: number;
  resolve(): void;
  reject(error: unknown): void;
}

export interface Publisher {
  publish(topic: Topic, messages: readonly NewMessage[]): Promise<void>;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

export interface PublisherOptions {
  /** Milliseconds until it gives up. */
  readonly patience: number;
  /** Bytes. */
  readonly largestMessage: number;
}

const REST_OF_A_BATCH = 100;

/**
 * Sends one request at a time; what arrives meanwhile shares the next. That is not only for speed: kafkajs gives the
 * sequence numbers of a request that failed to whatever is sent next, and only while this is the same request again
 * can the broker tell a repetition from something new. So a producer whose request finally failed, with whatever
 * outcome, is not used for another one.
 */
export function createPublisher(
  client: () => Kafka,
  { patience, largestMessage }: PublisherOptions,
): Publisher {
  const largestBatch = largestMessage - REST_OF_A_BATCH;
  let queue: Parcel<Publish>[] = [];
  let running: Promise<void> | null = null;
  let producer: Producer | null = null;

  const abandon = async (): Promise<void> => {
    const former = producer;
    producer = null;
    await former?.abandon();
  };

  const send = async (load: readonly Parcel<Publish>[]): Promise<void> => {
    const deadline = Date.now() + patience;
    producer ??= await openProducer(client, deadline);
    await producer.send(load, deadline);
  };

  const run = async (): Promise<void> => {
    while (queue.length > 0) {
      // After the poll phase, so that whatever the sockets brought in this turn shares the request.
      await turn();
      const load = takeLoad(queue, largestBatch);
      try {
        await send(load);
        for (const { publish } of load) if ((publish.left -= 1) === 0) publish.resolve();
      } catch (error) {
        void abandon();
        // Those who wait behind have waited as long: they would learn the same.
        const waiting = new Set([...load, ...queue].map(({ publish }) => publish));
        queue = [];
        for (const { reject } of waiting) reject(unavailable(error));
      }
    }
    running = null;
  };

  const pack = (
    topic: Topic,
    publish: Publish,
    { key, value, headers = {} }: NewMessage,
  ): Parcel<Publish> => {
    const bytes = bytesOf(key, value, headers);
    if (bytes > largestBatch)
      throw new RangeError(`a message of ${value.length} bytes is too large: Kafka takes ${largestBatch}`);
    const message = { key, value, headers: { ...headers } };
    return { publish, topic, partition: partitionOf(key, topic.partitions), message, bytes };
  };

  return {
    publish: (topic, messages) =>
      new Promise((resolve, reject) => {
        const publish = { left: messages.length, resolve, reject };
        const parcels = messages.map(message => pack(topic, publish, message));
        for (const parcel of parcels) queue.push(parcel);
        running ??= run();
      }),
    close: async () => {
      await running;
      await abandon();
    },
  };
}
