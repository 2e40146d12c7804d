import type { EachBatchHandler } from 'kafkajs';
import { type MembershipEnd, heartbeatIntervalMs, type GroupMember } from './group-member';
import { toLogBatches } from './log-batches';

/**
 * Passes fetched messages to the handler in batches, and commits the offset of the group after each. It stops between two
 * batches when the membership ends or in a rebalance; the next owner of the partition fetches the rest again.
 */
export function createBatchHandler(
  { topics, handle, batchSize = 1000, sessionTimeoutMs }: GroupMember,
  ended: AbortSignal,
  end: (reason: MembershipEnd) => void,
): EachBatchHandler {
  const names = new Map(topics.map(({ remote, name }) => [remote, name]));

  return async ({ batch, heartbeat, commitOffsetsIfNecessary, resolveOffset, isStale }) => {
    const { topic, partition, messages } = batch;
    let isRebalancing = false;
    const heartbeats = setInterval(
      () => void heartbeat().catch(() => (isRebalancing = true)),
      heartbeatIntervalMs(sessionTimeoutMs),
    );
    const nextOffset = Number(batch.lastOffset()) + 1;
    try {
      for (const logBatch of toLogBatches(
        { topic: names.get(topic)!, partition },
        messages,
        nextOffset,
        batchSize,
      )) {
        if (ended.aborted || isRebalancing || isStale()) return;
        try {
          await handle(logBatch);
        } catch (error) {
          return end({ kind: 'failed', error });
        }
        const partitions = [{ partition, offset: String(logBatch.nextOffset) }];
        await commitOffsetsIfNecessary({ topics: [{ topic, partitions }] });
        resolveOffset(String(logBatch.nextOffset - 1));
      }
    } finally {
      clearInterval(heartbeats);
    }
  };
}
