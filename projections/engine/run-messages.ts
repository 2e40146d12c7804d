import { setImmediate } from 'node:timers/promises';
import { Mutex } from 'async-mutex';
import { CheckpointMoved } from '../../contracts/ports/documents';
import type { LogBatch, LogMessage } from '../../contracts/ports/log';
import { sleep } from '../../contracts/retry/retry';
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

/** After this time a checkpoint is stored although no document changed: a topic has many projections, and most messages touch one. */
const FLUSH_MS = 1_000;

interface Partition {
  readonly topic: string;
  readonly partition: number;
}

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
  const writers = new Map<string, Partition & { readonly writer: PartitionWriter<LogMessage> }>();
  /** Nothing was folded since they were opened. */
  const opened = new Set<PartitionWriter<LogMessage>>();
  const folding = new Mutex();

  const open = async ({ topic, partition }: Partition): Promise<PartitionWriter<LogMessage>> => {
    const inputs = topicPartition(projection.name, generation, topic, partition);
    const writer = await openPartitionWriter(documents, projection, generation, inputs, MESSAGES);
    writers.set(`${topic}/${partition}`, { topic, partition, writer });
    opened.add(writer);
    return writer;
  };

  const withWriter = async (
    of: Partition,
    write: (writer: PartitionWriter<LogMessage>) => Promise<void>,
  ): Promise<void> => {
    try {
      await write(writers.get(`${of.topic}/${of.partition}`)?.writer ?? (await open(of)));
    } catch (error) {
      if (!(error instanceof CheckpointMoved)) throw error;
      // The member that had this partition before has committed its last batch: continue from there.
      await write(await open(of));
    }
  };

  const apply = (batch: LogBatch, isBacklog: boolean): Promise<void> =>
    withWriter(batch, async writer => {
      // What there was when this program started is waited for by its reads.
      const flush = opened.delete(writer) || isBacklog;
      await folding.runExclusive(async () => {
        await writer.apply(batch.messages, batch.nextOffset - 1, { flush, pipeline: true });
        await setImmediate();
      });
      await writer.commitDone();
    });

  const flush = (): Promise<void> =>
    folding.runExclusive(async () => {
      const unflushed = [...writers.values()].filter(({ writer }) => !writer.flushed);
      await Promise.all(unflushed.map(of => withWriter(of, writer => writer.flush())));
    });

  const ended = new AbortController();
  const until = AbortSignal.any([signal, ended.signal]);
  let flushing: Promise<void> | undefined;
  const flushLater = async (): Promise<void> => {
    await sleep(FLUSH_MS, until);
    flushing = undefined;
    if (!until.aborted) await flush();
  };
  /** A failed flush ends the consumer, which then reports it. */
  let failure: { readonly error: unknown } | undefined;
  const ensureFlushed = (): void => {
    if ([...writers.values()].every(({ writer }) => writer.flushed)) return;
    flushing ??= flushLater().catch((error: unknown) => {
      failure = { error };
      ended.abort();
    });
  };
  try {
    await log.consume(
      {
        group: `${projection.name}@${generation}`,
        topics: projection.topics,
        batchSize: MAX_BATCH_MESSAGES,
        startAt: async (topic, partition) => (await open({ topic, partition })).seen + 1,
        signal: until,
      },
      async batch => {
        const began = performance.now();
        const catchingUp = batch.messages.length >= CATCHING_UP_MESSAGES;
        onState(catchingUp ? 'catching-up' : 'live');
        if (catchingUp) await order.turn(projection.name, signal);
        await apply(batch, catchingUp);
        ensureFlushed();
        const seconds = (performance.now() - began) / 1000;
        hooks.onBatch?.({ projection: projection.name, inputs: batch.messages.length, seconds });
      },
    );
  } finally {
    ended.abort();
    await flushing;
  }
  if (failure) throw failure.error;
  await flush();
}
