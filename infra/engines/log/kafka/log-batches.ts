import type { KafkaMessage } from 'kafkajs';
import type { LogBatch, LogMessage } from '../../../../contracts/ports/log';

const headersOf = (headers: KafkaMessage['headers'] = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

const toLogMessage = (topic: string, partition: number, message: KafkaMessage): LogMessage => ({
  topic,
  partition,
  offset: Number(message.offset),
  key: message.key?.toString() ?? '',
  value: message.value ?? Buffer.alloc(0),
  headers: headersOf(message.headers),
  timestamp: Number(message.timestamp),
});

/**
 * Splits fetched messages into batches of the port.
 * @param nextOffset the offset after the fetch, which may be beyond that of the last message: transaction markers and
 *   compacted messages have offsets too
 */
export function* toLogBatches(
  { topic, partition }: { readonly topic: string; readonly partition: number },
  messages: readonly KafkaMessage[],
  nextOffset: number,
  size: number,
): Generator<LogBatch> {
  for (let from = 0; from < messages.length; from += size) {
    const batch = messages.slice(from, from + size).map(message => toLogMessage(topic, partition, message));
    const isLast = from + size >= messages.length;
    yield { topic, partition, messages: batch, nextOffset: isLast ? nextOffset : batch.at(-1)!.offset + 1 };
  }
}
