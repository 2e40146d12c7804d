import type { Consumer, Kafka } from 'kafkajs';
import { dealing } from './assigner';
import { type Ending, heartbeatOf, type Member } from './member';
import { createPlacing } from './placing';
import { createTaking } from './taking';

/** Milliseconds that a broker holds a request open for new messages, and the longest wait for the end of it. */
const POLL_MS = 250;

/** Of one partition at once: enough for a full batch of the larger messages, as commits cost by their number. */
const MOST_BYTES = 2 * 1024 * 1024;

/** Milliseconds that the others of the group wait for the batch in hand when partitions are dealt anew. */
const REBALANCE_MS = 60_000;

const newConsumer = (client: Kafka, { group, session }: Member): Consumer =>
  client.consumer({
    groupId: group,
    partitionAssigners: [dealing],
    sessionTimeout: session,
    heartbeatInterval: heartbeatOf(session),
    rebalanceTimeout: Math.max(REBALANCE_MS, session),
    maxWaitTimeInMs: POLL_MS,
    maxBytesPerPartition: MOST_BYTES,
    allowAutoTopicCreation: false,
    // A client that has lost its brokers is replaced as a whole, by the caller.
    retry: { retries: 3, restartOnFailure: async () => false },
  });

/**
 * One membership of a group, with a client of its own. When partitions are dealt anew, kafkajs joins again only after
 * all batches in hand are done, so that a partition is in one hand at a time unless a batch takes more than a minute.
 */
export async function attendGroup(client: Kafka, member: Member): Promise<Ending> {
  const { topics, startAt, signal, onJoined } = member;
  const ending = new AbortController();
  let how: Ending = { kind: 'stopped' };
  const end = (reason: Ending): void => {
    if (!ending.signal.aborted) how = reason;
    ending.abort();
  };
  const over = new Promise(resolve => ending.signal.addEventListener('abort', resolve));
  const stop = (): void => end({ kind: 'stopped' });
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();

  const consumer = newConsumer(client, member);
  consumer.on(consumer.events.CRASH, ({ payload }) => end({ kind: 'lost', error: payload.error }));
  consumer.on(consumer.events.GROUP_JOIN, onJoined);
  if (startAt) {
    const place = createPlacing(consumer, { ...member, startAt }, ending.signal, end);
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => void place(payload.memberAssignment));
  }
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: topics.map(({ remote }) => remote), fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: topics.reduce((sum, { partitions }) => sum + partitions, 0),
      eachBatch: createTaking(member, ending.signal, end),
    });
    await over;
  } catch (error) {
    end({ kind: 'lost', error });
  } finally {
    signal.removeEventListener('abort', stop);
    await consumer.disconnect().catch(() => undefined);
  }
  return how;
}
