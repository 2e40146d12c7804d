import type { EventStore } from '../../contracts/ports/event-store';
import { isLogProjection, type EventProjection, type LogProjection, type Projection } from '../projection';
import type { Context } from './context';
import { EVENTS, MESSAGES } from './inputs';
import { eventLane, partitionLane } from './lane';
import { openLane } from './lane-writer';
import { partitionEnds, type PartitionEnd } from './partitions';
import { MOST_MESSAGES } from './run-messages';

/** What a filling needs of an event store. */
export type EventsUpToHead = Pick<EventStore, 'head' | 'readAll'>;

/** How far a filling is, in positions or messages. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

export type OnProgress = (progress: Progress) => void;

/**
 * Characters of events, roughly, between two commits: thousands of events share what a commit costs, a document that
 * many of them touch is written once, and reads of this program wait no longer than a fraction of a second.
 */
const HELD = 2 * 1024 * 1024;

/** Partitions of the log in hand at a time. */
const PARTITIONS = 4;

/**
 * Folds into a generation, from its checkpoints on, what there is by now; resolves when it is all in. Called again it
 * takes what came since. The signal ends it between two batches, by throwing its reason.
 * @throws FoldError, CheckpointMoved when the generation was sealed
 */
export function fill(
  context: Context,
  projection: Projection,
  generation: number,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<void> {
  return isLogProjection(projection)
    ? fillFromLog(context, projection, generation, signal, onProgress)
    : fillFromEvents(context, projection, generation, signal, onProgress);
}

/** As `fill`, for a projection of events and whatever has a head and gives what is up to it. */
export async function fillFromEvents(
  { store, documents, hooks }: Pick<Context, 'documents' | 'hooks'> & { readonly store: EventsUpToHead },
  projection: EventProjection,
  generation: number,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<void> {
  const lane = await openLane(
    documents,
    projection,
    generation,
    eventLane(projection.name, generation),
    EVENTS,
  );
  // Read before the events, so that all up to it is among them.
  const head = await store.head();
  const pages = store.readAll({ after: lane.seen, categories: projection.categories });
  let held = 0;
  for await (const events of pages) {
    signal.throwIfAborted();
    const began = performance.now();
    held += events.length * JSON.stringify(events[0]).length;
    const hold = held < HELD;
    await lane.apply(events, events.at(-1)!.position, { hold, ahead: true });
    if (!hold) held = 0;
    const seconds = (performance.now() - began) / 1000;
    hooks.onBatch?.({ projection: projection.name, inputs: events.length, seconds });
    onProgress({ done: lane.seen + 1, total: Math.max(head, lane.seen) + 1 });
  }
  await lane.apply([], head);
  await lane.flush();
}

async function fillFromLog(
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
    const name = partitionLane(projection.name, generation, topic, partition);
    const lane = await openLane(documents, projection, generation, name, MESSAGES);
    const from = lane.seen + 1;
    done += from;
    for await (const batch of log.read({
      topic,
      partition,
      from,
      batchSize: MOST_MESSAGES,
      follow: false,
      signal,
    })) {
      signal.throwIfAborted();
      const began = performance.now();
      const before = lane.seen;
      await lane.apply(batch.messages, batch.next - 1, { ahead: true });
      const seconds = (performance.now() - began) / 1000;
      hooks.onBatch?.({ projection: projection.name, inputs: batch.messages.length, seconds });
      done += lane.seen - before;
      onProgress({ done, total: Math.max(done, total) });
    }
    signal.throwIfAborted();
    await lane.flush();
  };

  const waiting = ends.values();
  const work = async (): Promise<void> => {
    for (const partition of waiting) await fillPartition(partition);
  };
  await Promise.all(Array.from({ length: PARTITIONS }, work));
}
