import type { EventStore } from '../../contracts/ports/event-store';
import { isLogProjection, type EventProjection, type LogProjection, type Projection } from '../projection';
import type { Context } from './context';
import { EVENTS, MESSAGES } from './input-kinds';
import { allEvents, topicPartition, partitionEnds, type PartitionEnd } from './input-partition';
import { openPartitionWriter } from './partition-writer';
import { MAX_BATCH_MESSAGES } from './run-messages';

/** The part of an event store that catching up needs. */
export type EventsUpToHead = Pick<EventStore, 'head' | 'readAll'>;

/** In positions or messages. */
export interface CatchUpProgress {
  readonly done: number;
  readonly total: number;
}

export type OnProgress = (progress: CatchUpProgress) => void;

/**
 * Characters of events, roughly, between two commits: thousands of events share the cost of a commit, a document that
 * many of them touch is written once, and reads are delayed by a fraction of a second at most.
 */
const MAX_DEFERRED_CHARACTERS = 2 * 1024 * 1024;

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

/** As `catchUp`, for a projection of events. */
export async function catchUpWithEvents(
  { store, documents, hooks }: Pick<Context, 'documents' | 'hooks'> & { readonly store: EventsUpToHead },
  projection: EventProjection,
  generation: number,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<void> {
  const writer = await openPartitionWriter(
    documents,
    projection,
    generation,
    allEvents(projection.name, generation),
    EVENTS,
  );
  // Read before the events, so that the pages contain all events up to it.
  const head = await store.head();
  const pages = store.readAll({ after: writer.seen, categories: projection.categories });
  let deferred = 0;
  for await (const events of pages) {
    signal.throwIfAborted();
    const began = performance.now();
    deferred += events.length * JSON.stringify(events[0]).length;
    const defer = deferred < MAX_DEFERRED_CHARACTERS;
    await writer.apply(events, events.at(-1)!.position, { defer, pipeline: true });
    if (!defer) deferred = 0;
    const seconds = (performance.now() - began) / 1000;
    hooks.onBatch?.({ projection: projection.name, inputs: events.length, seconds });
    onProgress({ done: writer.seen + 1, total: Math.max(head, writer.seen) + 1 });
  }
  await writer.apply([], head);
  await writer.flush();
}

async function catchUpWithLog(
  { log, documents, hooks }: Context,
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
    done += from;
    for await (const batch of log.read({
      topic,
      partition,
      from,
      batchSize: MAX_BATCH_MESSAGES,
      follow: false,
      signal,
    })) {
      signal.throwIfAborted();
      const began = performance.now();
      const before = writer.seen;
      await writer.apply(batch.messages, batch.nextOffset - 1, { pipeline: true });
      const seconds = (performance.now() - began) / 1000;
      hooks.onBatch?.({ projection: projection.name, inputs: batch.messages.length, seconds });
      done += writer.seen - before;
      onProgress({ done, total: Math.max(done, total) });
    }
    signal.throwIfAborted();
    await writer.flush();
  };

  const queue = ends.values();
  const work = async (): Promise<void> => {
    for (const partition of queue) await fillPartition(partition);
  };
  await Promise.all(Array.from({ length: MAX_PARTITIONS }, work));
}
