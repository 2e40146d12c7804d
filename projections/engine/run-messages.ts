import { setImmediate as breath } from 'node:timers/promises';
import { CheckpointMoved } from '../../contracts/ports/documents';
import type { LogBatch, LogMessage } from '../../contracts/ports/log';
import type { LogProjection } from '../projection';
import type { Context } from './context';
import { MESSAGES } from './inputs';
import { partitionLane } from './lane';
import { openLane, type LaneWriter } from './lane-writer';
import { createTurns } from './turn';

/**
 * Most messages in one batch. A commit costs by its number, so that small messages want many; of larger ones the logs
 * give less at once, by their bytes.
 */
export const MOST_MESSAGES = 8_000;

/** Messages in one batch from which on it is not what has just happened, but what has gathered. */
const GATHERED = 500;

/**
 * Folds messages into one generation until the signal, each partition in its own lane. The consumer group bears the
 * generation's name, and its offsets only say which partitions are whose: where to go on is our checkpoint's to say.
 * Partitions are folded one at a time, so that few messages are in memory parsed; meanwhile those before are committed.
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
  const inTurn = createTurns(1);

  const open = async (topic: string, partition: number): Promise<LaneWriter<LogMessage>> => {
    const lane = partitionLane(projection.name, generation, topic, partition);
    const writer = await openLane(documents, projection, generation, lane, MESSAGES);
    lanes.set(`${topic}/${partition}`, writer);
    return writer;
  };

  const foldInto = async (lane: LaneWriter<LogMessage>, { messages, next }: LogBatch): Promise<void> => {
    await inTurn(async () => {
      await lane.apply(messages, next - 1, { flush: true, ahead: true });
      await breath();
    });
    await lane.flush();
  };

  const apply = async (batch: LogBatch): Promise<void> => {
    const { topic, partition } = batch;
    const lane = lanes.get(`${topic}/${partition}`) ?? (await open(topic, partition));
    try {
      await foldInto(lane, batch);
    } catch (error) {
      if (!(error instanceof CheckpointMoved)) throw error;
      // The member that had this partition before us has finished its last batch: go on from there.
      await foldInto(await open(topic, partition), batch);
    }
  };

  await log.consume(
    {
      group: `${projection.name}@${generation}`,
      topics: projection.topics,
      batchSize: MOST_MESSAGES,
      startAt: async (topic, partition) => (await open(topic, partition)).seen + 1,
      signal,
    },
    async batch => {
      const began = performance.now();
      onState(batch.messages.length >= GATHERED ? 'catching-up' : 'live');
      await apply(batch);
      const seconds = (performance.now() - began) / 1000;
      hooks.onBatch?.({ projection: projection.name, inputs: batch.messages.length, seconds });
    },
  );
}
