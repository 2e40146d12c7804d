import { setTimeout as pause } from 'node:timers/promises';
import type { Kafka, RetryOptions } from 'kafkajs';
import { EngineUnavailable } from '../../../../contracts/engine-unavailable';
import { partitionOf } from '../partitioner';
import { type Parcel, topicMessages } from './load';
import { within } from '../../with-timeout';

export interface Producer {
  /** @throws EngineUnavailable when it was not acknowledged in time, and what kafkajs throws: then its outcome is open */
  send(load: readonly Parcel<unknown>[], deadline: number): Promise<void>;
  /** Sends nothing any more, nor repeats what it has sent. */
  abandon(): Promise<void>;
}

const LONGEST_PAUSE = 1000;

/** So often that kafkajs still tries when the time, in milliseconds, is up. */
export function retryingFor(time: number): RetryOptions {
  return {
    initialRetryTime: 100,
    maxRetryTime: LONGEST_PAUSE,
    retries: Math.ceil(time / LONGEST_PAUSE) + 5,
  };
}

const inTime = <Result>(deadline: number, work: Promise<Result>): Promise<Result> =>
  within(deadline - Date.now(), work, () => {
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
        // Asked ahead of each attempt, so this is where kafkajs can be told to make no other.
        if (isAbandoned) throw new RangeError('this producer is not in use any more');
        return partitionOf(String(message.key), partitionMetadata.length);
      },
  });
  return {
    connect: () => producer.connect(),
    send: async (load: readonly Parcel<unknown>[], deadline: number) => {
      await inTime(deadline, producer.sendBatch({ acks: -1, topicMessages: topicMessages(load) }));
    },
    abandon: async () => {
      isAbandoned = true;
      await producer.disconnect().catch(() => undefined);
    },
  };
};

/** @param deadline milliseconds since the epoch, until which it is tried */
export async function openProducer(client: () => Kafka, deadline: number): Promise<Producer> {
  for (;;) {
    const producer = createProducer(client());
    try {
      await inTime(deadline, producer.connect());
      return producer;
    } catch (error) {
      void producer.abandon();
      if (Date.now() + LONGEST_PAUSE > deadline) throw error;
    }
    await pause(LONGEST_PAUSE / 2);
  }
}
