import type { Consumer, Kafka } from 'kafkajs';
import { roundRobinAssigner } from './assigner';
import { type MembershipEnd, heartbeatIntervalMs, type GroupMember } from './group-member';
import { createSeekOnAssign } from './seek-on-assign';
import { createBatchHandler } from './batch-handler';

/** How long a broker holds a fetch open for new messages; stopping waits for its end. */
const FETCH_WAIT_MS = 1_000;

/** Per fetch: enough for a full batch of the larger messages, since each batch costs one commit. */
const MAX_PARTITION_BYTES = 2 * 1024 * 1024;

/** How long the other members wait in a rebalance for a batch that is being handled. */
const REBALANCE_TIMEOUT_MS = 60_000;

const newConsumer = (client: Kafka, { group, sessionTimeoutMs }: GroupMember): Consumer =>
  client.consumer({
    groupId: group,
    partitionAssigners: [roundRobinAssigner],
    sessionTimeout: sessionTimeoutMs,
    heartbeatInterval: heartbeatIntervalMs(sessionTimeoutMs),
    rebalanceTimeout: Math.max(REBALANCE_TIMEOUT_MS, sessionTimeoutMs),
    maxWaitTimeInMs: FETCH_WAIT_MS,
    maxBytesPerPartition: MAX_PARTITION_BYTES,
    allowAutoTopicCreation: false,
    // The caller replaces the whole client when it has lost its brokers.
    retry: { retries: 3, restartOnFailure: async () => false },
  });

/**
 * One membership of a group, with a client of its own. In a rebalance kafkajs joins again only after all current batches
 * have been handled, so that one member at a time handles a partition unless a batch takes more than a minute.
 */
export async function runMembership(client: Kafka, member: GroupMember): Promise<MembershipEnd> {
  const { topics, startAt, signal, onJoined } = member;
  const ended = new AbortController();
  let result: MembershipEnd = { kind: 'stopped' };
  const end = (reason: MembershipEnd): void => {
    if (!ended.signal.aborted) result = reason;
    ended.abort();
  };
  const over = new Promise(resolve => ended.signal.addEventListener('abort', resolve));
  const stop = (): void => end({ kind: 'stopped' });
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();

  const consumer = newConsumer(client, member);
  consumer.on(consumer.events.CRASH, ({ payload }) => end({ kind: 'lost', error: payload.error }));
  consumer.on(consumer.events.GROUP_JOIN, onJoined);
  if (startAt) {
    const seekOnAssign = createSeekOnAssign(consumer, { ...member, startAt }, ended.signal, end);
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => void seekOnAssign(payload.memberAssignment));
  }
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: topics.map(({ remote }) => remote), fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: topics.reduce((sum, { partitions }) => sum + partitions, 0),
      eachBatch: createBatchHandler(member, ended.signal, end),
    });
    await over;
  } catch (error) {
    end({ kind: 'lost', error });
  } finally {
    signal.removeEventListener('abort', stop);
    await consumer.disconnect().catch(() => undefined);
  }
  return result;
}
