import type { Message } from 'kafkajs';
import type { Topic } from './topics';

/** A record to send, and the publish it belongs to. */
export interface PendingRecord<Publish> {
  readonly publish: Publish;
  readonly topic: Topic;
  readonly partition: number;
  readonly message: Message & { readonly key: string };
  /** Its maximum size in a record batch. */
  readonly bytes: number;
}

/** The time that kafkajs takes grows with the square of the messages per partition and request. */
const MAX_RECORDS = 2000;

const RECORD_OVERHEAD = 40;
const HEADER_OVERHEAD = 10;

/** An upper bound of the size of a record. */
export function recordBytes(key: string, value: Buffer, headers: Readonly<Record<string, string>>): number {
  return Object.entries(headers).reduce(
    (sum, header) => sum + HEADER_OVERHEAD + Buffer.byteLength(header.join('')),
    RECORD_OVERHEAD + Buffer.byteLength(key) + value.length,
  );
}

/**
 * Removes the records for one request from the head of the queue, in order: of each partition at most one record batch,
 * since brokers limit the size of batches and not of messages.
 */
export function nextBatch<Publish>(
  queue: PendingRecord<Publish>[],
  maxBatchBytes: number,
): PendingRecord<Publish>[] {
  const batches = new Map<string, number>();
  let count = 0;
  for (; count < Math.min(queue.length, MAX_RECORDS); count += 1) {
    const { topic, partition, bytes } = queue[count]!;
    const batch = `${topic.remote}/${partition}`;
    const sum = (batches.get(batch) ?? 0) + bytes;
    if (count > 0 && sum > maxBatchBytes) break;
    batches.set(batch, sum);
  }
  return queue.splice(0, count);
}

/** Groups records by topic, as kafkajs takes them. */
export function topicMessages(
  records: readonly PendingRecord<unknown>[],
): { readonly topic: string; readonly messages: Message[] }[] {
  const topics = new Map<string, Message[]>();
  for (const { topic, message } of records) {
    const messages = topics.get(topic.remote);
    if (messages) messages.push(message);
    else topics.set(topic.remote, [message]);
  }
  return [...topics].map(([topic, messages]) => ({ topic, messages }));
}
