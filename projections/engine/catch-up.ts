import type { EventStore, RecordedEvent } from '../../contracts/ports/event-store';
import type { LogMessage } from '../../contracts/ports/log';
import { isLogProjection, type EventProjection, type LogProjection, type Projection } from '../projection';
import type { Context } from './context';
import { foldBacklog, type BacklogBatch } from './fold-backlog';
import { EVENTS, MESSAGES } from './input-kinds';
import { allEvents, topicPartition, partitionEnds, type PartitionEnd } from './input-partition';
import { openPartitionWriter, type PartitionWriter } from './partition-writer';
import { MAX_BATCH_MESSAGES } from './run-messages';

/** The part of an event store that catching up needs. */
export type EventsUpToHead = Pick<EventStore, 'head' | 'readAll'>;

/** In positions or messages. */
export interface CatchUpProgress {
  readonly done: number;
  readonly total: number;
}

export type OnProgress = (progress: CatchUpProgress) => void;

/** Partitions of the log that are folded at a time. */
const MAX_PARTITIONS = 4;

/**
 * Folds the existing inputs after a generation's checkpoints. The next call folds those that were added since.
 * @throws FoldError; CheckpointMoved when the generation is frozen; the reason of the signal, between two batches
 */
export function catchUp(
  context: Context,
  projection: Projection,
  generation: number,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<void> {
  return isLogProjection(projection)
    ? catchUpWithLog(context, projection, generation, signal, onProgress)
    : catchUpWithEvents(context, projection, generation, signal, onProgress);
}

type EventsContext = Pick<Context, 'documents' | 'hooks'> &
  Partial<Pick<Context, 'order'>> & { readonly store: EventsUpToHead };

/** As `catchUp`, for a projection of events. */
export async function catchUpWithEvents(
  context: EventsContext,
  projection: EventProjection,
  generation: number,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<void> {
  const inputs = allEvents(projection.name, generation);
  const writer = await openPartitionWriter(context.documents, projection, generation, inputs, EVENTS);
  await foldEventsUpToHead(context, projection, writer, signal, onProgress);
  signal.throwIfAborted();
}

/**
 * Folds and commits the events that exist, or those read before the signal.
 * @throws FoldError; CheckpointMoved; errors of the stores, once what was read before is committed
 */
export async function foldEventsUpToHead(
  { store, order, hooks }: Omit<EventsContext, 'documents'>,
  { name, categories }: EventProjection,
  writer: PartitionWriter<RecordedEvent>,
  signal: AbortSignal,
  onProgress: OnProgress = () => undefined,
): Promise<void> {
  // Read before the events, so that the pages contain all events up to it.
  const head = await store.head();
  const pages = store.readAll({ after: writer.seen, categories });
  const turn = async (): Promise<void> => order?.turn(name, signal);
  await foldBacklog(writer, batchesOf(pages, turn), signal, batch => {
    hooks.onBatch?.({ projection: name, ...batch });
    onProgress({ done: writer.seen + 1, total: Math.max(head, writer.seen) + 1 });
  });
  if (signal.aborted) return;
  await writer.apply([], head);
  await writer.flush();
}

async function* batchesOf(
  pages: AsyncIterable<readonly RecordedEvent[]>,
  turn: () => Promise<void>,
): AsyncGenerator<BacklogBatch<RecordedEvent>> {
  for await (const inputs of pages) {
    await turn();
    const characters = inputs.length * JSON.stringify(inputs[0]).length;
    yield { inputs, seen: inputs.at(-1)!.position, characters };
  }
}

async function catchUpWithLog(
  { log, documents, order, hooks }: Context,
  projection: LogProjection,
  generation: number,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<void> {
  const ends = await partitionEnds(log, projection.topics);
  const total = ends.reduce((sum, { end }) => sum + end, 0);
  let done = 0;

  const fillPartition = async ({ topic, partition }: PartitionEnd): Promise<void> => {
    const inputs = topicPartition(projection.name, generation, topic, partition);
    const writer = await openPartitionWriter(documents, projection, generation, inputs, MESSAGES);
    const from = writer.seen + 1;
    let counted = from;
    done += from;
    const read = async function* (): AsyncGenerator<BacklogBatch<LogMessage>> {
      const options = { topic, partition, from, batchSize: MAX_BATCH_MESSAGES, follow: false, signal };
      for await (const { messages, nextOffset } of log.read(options)) {
        await order.turn(projection.name, signal);
        const characters = messages.reduce((sum, { value }) => sum + value.length, 0);
        yield { inputs: messages, seen: nextOffset - 1, characters };
      }
    };
    await foldBacklog(writer, read(), signal, batch => {
      hooks.onBatch?.({ projection: projection.name, ...batch });
      done += writer.seen + 1 - counted;
      counted = writer.seen + 1;
      onProgress({ done, total: Math.max(done, total) });
    });
    signal.throwIfAborted();
  };

  const queue = ends.values();
  const work = async (): Promise<void> => {
    for (const partition of queue) await fillPartition(partition);
  };
  await Promise.all(Array.from({ length: MAX_PARTITIONS }, work));
}
