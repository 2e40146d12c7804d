import type { EachBatchHandler } from 'kafkajs';
import { type Ending, heartbeatOf, type Member } from './member';
import { batchesOf } from './messages';

/**
 * Gives what was fetched to the handler, batch by batch, and moves the offset of the group after each. It stops between
 * two batches when the end has come or the partitions are dealt anew; what is left is fetched again by its next owner.
 */
export function createTaking(
  { topics, handle, batchSize = 1000, session }: Member,
  ended: AbortSignal,
  end: (reason: Ending) => void,
): EachBatchHandler {
  const names = new Map(topics.map(({ remote, name }) => [remote, name]));

  return async ({ batch, heartbeat, commitOffsetsIfNecessary, resolveOffset, isStale }) => {
    const { topic, partition, messages } = batch;
    let isDealtAnew = false;
    const beating = setInterval(
      () => void heartbeat().catch(() => (isDealtAnew = true)),
      heartbeatOf(session),
    );
    const next = Number(batch.lastOffset()) + 1;
    try {
      for (const some of batchesOf({ topic: names.get(topic)!, partition }, messages, next, batchSize)) {
        if (ended.aborted || isDealtAnew || isStale()) return;
        try {
          await handle(some);
        } catch (error) {
          return end({ kind: 'failed', error });
        }
        const partitions = [{ partition, offset: String(some.next) }];
        await commitOffsetsIfNecessary({ topics: [{ topic, partitions }] });
        resolveOffset(String(some.next - 1));
      }
    } finally {
      clearInterval(beating);
    }
  };
}
