import { CheckpointMoved } from '../../infra/documents/port';
import type { LogBatch, LogMessage } from '../../infra/log/port';
import type { LogProjection } from '../projection';
import type { Context } from './context';
import { MESSAGES } from './inputs';
import { partitionLane } from './lane';
import { openLane, type LaneWriter } from './lane-writer';
import { BATCH } from './run-events';

/**
 * Folds messages into one generation until the signal, each partition in its own lane. The consumer group bears the
 * generation's name, and its offsets only say which partitions are whose: where to go on is our checkpoint's to say.
 * @throws FoldError, CheckpointMoved when the generation was sealed, and what the stores throw
 */
export async function runMessages(
  { log, documents, hooks }: Pick<Context, 'log' | 'documents' | 'hooks'>,
  projection: LogProjection,
  generation: number,
  signal: AbortSignal,
  onState: (state: 'live' | 'catching-up') => void,
): Promise<void> {
  const lanes = new Map<string, LaneWriter<LogMessage>>();

  const open = async (topic: string, partition: number): Promise<LaneWriter<LogMessage>> => {
    const lane = partitionLane(projection.name, generation, topic, partition);
    const writer = await openLane(documents, projection, generation, lane, MESSAGES);
    lanes.set(`${topic}/${partition}`, writer);
    return writer;
  };

  const apply = async ({ topic, partition, messages, next }: LogBatch): Promise<void> => {
    const lane = lanes.get(`${topic}/${partition}`) ?? (await open(topic, partition));
    try {
      await lane.apply(messages, next - 1, { flush: true });
    } catch (error) {
      if (!(error instanceof CheckpointMoved)) throw error;
      // The member that had this partition before us has finished its last batch: go on from there.
      await (await open(topic, partition)).apply(messages, next - 1, { flush: true });
    }
  };

  await log.consume(
    {
      group: `${projection.name}@${generation}`,
      topics: projection.topics,
      batchSize: BATCH,
      startAt: async (topic, partition) => (await open(topic, partition)).seen + 1,
      signal,
    },
    async batch => {
      const began = performance.now();
      onState(batch.messages.length >= BATCH ? 'catching-up' : 'live');
      await apply(batch);
      const seconds = (performance.now() - began) / 1000;
      hooks.onBatch?.({ projection: projection.name, inputs: batch.messages.length, seconds });
    },
  );
}
