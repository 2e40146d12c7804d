import { setTimeout as pause } from 'node:timers/promises';
import type { Kafka, RetryOptions } from 'kafkajs';
import { EngineUnavailable } from '../../../../contracts/engine/engine-unavailable';
import { partitionOf } from '../partitioner';
import { type PendingRecord, topicMessages } from './produce-batch';
import { withTimeout } from '../../../../contracts/retry/with-timeout';

export interface Producer {
  /** @throws EngineUnavailable when it was not acknowledged in time, and what kafkajs throws: the outcome is then unknown */
  send(records: readonly PendingRecord<unknown>[], deadline: number): Promise<void>;
  /** Sends nothing more, and makes no more retries. */
  abandon(): Promise<void>;
}

const MAX_RETRY_MS = 1000;

/** So many retries that kafkajs is still retrying at the timeout. */
export function retryOptionsFor(timeoutMs: number): RetryOptions {
  return {
    initialRetryTime: 100,
    maxRetryTime: MAX_RETRY_MS,
    retries: Math.ceil(timeoutMs / MAX_RETRY_MS) + 5,
  };
}

const withDeadline = <Result>(deadline: number, work: Promise<Result>): Promise<Result> =>
  withTimeout(deadline - Date.now(), work, () => {
    throw new EngineUnavailable('log', 'no acknowledgement in time');
  });

const createProducer = (client: Kafka) => {
  let isAbandoned = false;
  const producer = client.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    createPartitioner:
      () =>
      ({ message, partitionMetadata }) => {
        // Called before each attempt: an error that cannot be retried here prevents further attempts.
        if (isAbandoned) throw new RangeError('the producer was abandoned');
        return partitionOf(String(message.key), partitionMetadata.length);
      },
  });
  return {
    connect: () => producer.connect(),
    send: async (records: readonly PendingRecord<unknown>[], deadline: number) => {
      await withDeadline(deadline, producer.sendBatch({ acks: -1, topicMessages: topicMessages(records) }));
    },
    abandon: async () => {
      isAbandoned = true;
      await producer.disconnect().catch(() => undefined);
    },
  };
};

/** @param deadline of the retries, in milliseconds since the epoch */
export async function openProducer(client: () => Kafka, deadline: number): Promise<Producer> {
  for (;;) {
    const producer = createProducer(client());
    try {
      await withDeadline(deadline, producer.connect());
      return producer;
    } catch (error) {
      void producer.abandon();
      if (Date.now() + MAX_RETRY_MS > deadline) throw error;
    }
    await pause(MAX_RETRY_MS / 2);
  }
}
