import type { Message } from 'kafkajs';
import type { Topic } from './topics';

/** One message on its way, and the publish it is part of. */
export interface Parcel<Publish> {
  readonly publish: Publish;
  readonly topic: Topic;
  readonly partition: number;
  readonly message: Message & { readonly key: string; readonly value: Buffer };
  /** At most this many in a record batch. */
  readonly bytes: number;
}

/** kafkajs takes time in proportion to the square of the messages of one partition and request. */
const MOST_PARCELS = 2000;

const REST_OF_A_RECORD = 40;
const REST_OF_A_HEADER = 10;

/** The length of a record, rounded up. */
export function bytesOf(key: string, value: Buffer, headers: Readonly<Record<string, string>>): number {
  return Object.entries(headers).reduce(
    (sum, header) => sum + REST_OF_A_HEADER + Buffer.byteLength(header.join('')),
    REST_OF_A_RECORD + Buffer.byteLength(key) + value.length,
  );
}

/**
 * Takes from the head of the queue what one request may carry: of each partition no more than one record batch, since
 * brokers measure batches and not messages. The order of the queue is kept.
 */
export function takeLoad<Publish>(queue: Parcel<Publish>[], largestBatch: number): Parcel<Publish>[] {
  const batches = new Map<string, number>();
  let count = 0;
  for (; count < Math.min(queue.length, MOST_PARCELS); count += 1) {
    const { topic, partition, bytes } = queue[count]!;
    const batch = `${topic.remote}/${partition}`;
    const sum = (batches.get(batch) ?? 0) + bytes;
    if (count > 0 && sum > largestBatch) break;
    batches.set(batch, sum);
  }
  return queue.splice(0, count);
}

/** In the form that kafkajs wants: by topic. */
export function topicMessages(
  load: readonly Parcel<unknown>[],
): { readonly topic: string; readonly messages: Message[] }[] {
  const topics = new Map<string, Message[]>();
  for (const { topic, message } of load) {
    const messages = topics.get(topic.remote);
    if (messages) messages.push(message);
    else topics.set(topic.remote, [message]);
  }
  return [...topics].map(([topic, messages]) => ({ topic, messages }));
}
