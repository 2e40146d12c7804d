import { setImmediate } from 'node:timers/promises';
import { Mutex } from 'async-mutex';
import { CheckpointMoved } from '../../contracts/ports/documents';
import type { LogBatch, LogMessage } from '../../contracts/ports/log';
import type { LogProjection } from '../projection';
import type { Context } from './context';
import { MESSAGES } from './input-kinds';
import { topicPartition } from './input-partition';
import { openPartitionWriter, type PartitionWriter } from './partition-writer';

/**
 * Every commit has a fixed cost, so batches of small messages are large; logs limit batches of larger messages by their
 * bytes.
 */
export const MAX_BATCH_MESSAGES = 8_000;

/** A batch of so many messages is a backlog, not live traffic. */
const CATCHING_UP_MESSAGES = 500;

/**
 * Folds messages into one generation until the signal, each partition with its own writer. The consumer group only assigns
 * partitions; offsets are those of our checkpoints. Partitions are folded one at a time, so that few parsed messages are in
 * memory, and committed concurrently.
 * @throws FoldError; CheckpointMoved when the generation is frozen; errors of the stores
 */
export async function runMessages(
  { log, documents, order, hooks }: Pick<Context, 'log' | 'documents' | 'order' | 'hooks'>,
  projection: LogProjection,
  generation: number,
  signal: AbortSignal,
  onState: (state: 'live' | 'catching-up') => void,
): Promise<void> {
  const writers = new Map<string, PartitionWriter<LogMessage>>();
  const folding = new Mutex();

  const open = async (topic: string, partition: number): Promise<PartitionWriter<LogMessage>> => {
    const inputs = topicPartition(projection.name, generation, topic, partition);
    const writer = await openPartitionWriter(documents, projection, generation, inputs, MESSAGES);
    writers.set(`${topic}/${partition}`, writer);
    return writer;
  };

  const foldInto = async (
    writer: PartitionWriter<LogMessage>,
    { messages, nextOffset: next }: LogBatch,
  ): Promise<void> => {
    await folding.runExclusive(async () => {
      await writer.apply(messages, next - 1, { flush: true, pipeline: true });
      await setImmediate();
    });
    await writer.flush();
  };

  const apply = async (batch: LogBatch): Promise<void> => {
    const { topic, partition } = batch;
    const writer = writers.get(`${topic}/${partition}`) ?? (await open(topic, partition));
    try {
      await foldInto(writer, batch);
    } catch (error) {
      if (!(error instanceof CheckpointMoved)) throw error;
      // The member that had this partition before has committed its last batch: continue from there.
      await foldInto(await open(topic, partition), batch);
    }
  };

  await log.consume(
    {
      group: `${projection.name}@${generation}`,
      topics: projection.topics,
      batchSize: MAX_BATCH_MESSAGES,
      startAt: async (topic, partition) => (await open(topic, partition)).seen + 1,
      signal,
    },
    async batch => {
      const began = performance.now();
      const catchingUp = batch.messages.length >= CATCHING_UP_MESSAGES;
      onState(catchingUp ? 'catching-up' : 'live');
      if (catchingUp) await order.turn(projection.name, signal);
      await apply(batch);
      const seconds = (performance.now() - began) / 1000;
      hooks.onBatch?.({ projection: projection.name, inputs: batch.messages.length, seconds });
    },
  );
}
