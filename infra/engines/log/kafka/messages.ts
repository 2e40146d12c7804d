import type { KafkaMessage } from 'kafkajs';
import type { LogBatch, LogMessage } from '../../../../contracts/ports/log';

const headersOf = (headers: KafkaMessage['headers'] = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

const toMessage = (topic: string, partition: number, message: KafkaMessage): LogMessage => ({
  topic,
  partition,
  offset: Number(message.offset),
  key: message.key?.toString() ?? '',
  value: message.value ?? Buffer.alloc(0),
  headers: headersOf(message.headers),
  timestamp: Number(message.timestamp),
});

/**
 * Cuts what a broker gave at once into batches of the port.
 * @param next the offset behind all of them, which may be further than the last: markers of transactions and what was
 *   compacted away have offsets too
 */
export function* batchesOf(
  { topic, partition }: { readonly topic: string; readonly partition: number },
  messages: readonly KafkaMessage[],
  next: number,
  size: number,
): Generator<LogBatch> {
  for (let from = 0; from < messages.length; from += size) {
    const some = messages.slice(from, from + size).map(message => toMessage(topic, partition, message));
    const isLast = from + size >= messages.length;
    yield { topic, partition, messages: some, next: isLast ? next : some.at(-1)!.offset + 1 };
  }
}
