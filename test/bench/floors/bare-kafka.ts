import { Kafka, logLevel, Partitioners } from 'kafkajs';
import type { NewMessage } from '../../../contracts/ports/log';

const clientOf = (broker: string): Kafka =>
  new Kafka({ brokers: [broker], clientId: 'bare', logLevel: logLevel.NOTHING });

export interface BareProducer {
  send(topic: string, messages: readonly NewMessage[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * An idempotent producer of kafkajs with acks from all replicas. It has one request in flight at a time, whatever its
 * options, because of the sequence numbers.
 */
export async function openBareProducer(broker: string): Promise<BareProducer> {
  const producer = clientOf(broker).producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    createPartitioner: Partitioners.DefaultPartitioner,
  });
  await producer.connect();
  return {
    send: async (topic, messages) => {
      await producer.send({ topic, acks: -1, messages: messages as NewMessage[] });
    },
    close: () => producer.disconnect(),
  };
}

/**
 * Consumes a topic from its beginning as the only member of a new group, parsing each message, partitions concurrently;
 * offsets are committed after each batch, as kafkajs does by itself.
 */
export async function openBareConsumer(
  broker: string,
  group: string,
  topic: string,
  handle: (parsed: readonly unknown[]) => void,
  onJoined: () => void = () => undefined,
): Promise<{ close(): Promise<void> }> {
  const consumer = clientOf(broker).consumer({ groupId: group, allowAutoTopicCreation: false });
  consumer.on(consumer.events.GROUP_JOIN, onJoined);
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  await consumer.run({
    partitionsConsumedConcurrently: 8,
    eachBatch: async ({ batch: { messages } }) => {
      handle(messages.map(({ value }): unknown => JSON.parse(value!.toString())));
    },
  });
  return { close: () => consumer.disconnect() };
}
