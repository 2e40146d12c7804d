import type { Position } from '../../contracts/position';
import { BEGINNING } from '../../contracts/position';
import { isLogProjection, type EventProjection, type LogProjection, type Projection } from '../projection';
import type { Context } from './context';
import type { Generation } from './generation';
import { lastSeen, topicPartition } from './input-partition';
import { nextEventPosition } from './next-event';

/** Where the event store and the topics of the log ended at a moment. */
export interface SourceEnd {
  readonly position: Position;
  /** By topic, the end offset of each partition. */
  readonly offsets: ReadonlyMap<string, readonly number[]>;
}

type Sources = Pick<Context, 'store' | 'log'>;

/** Where the sources of the projections end now. */
export async function readSourceEnd(
  { store, log }: Sources,
  projections: readonly Projection[],
): Promise<SourceEnd> {
  const topics = new Set(projections.flatMap(each => (isLogProjection(each) ? each.topics : [])));
  const [position, ...ends] = await Promise.all([
    store.head(),
    ...[...topics].map(async topic => [topic, await log.endOffsets(topic)] as const),
  ]);
  return { position, offsets: new Map(ends) };
}

/** Whether a generation has folded all that its source held there. @param generation null before the first run */
export function hasFolded(
  context: Sources & Pick<Context, 'documents'>,
  projection: Projection,
  generation: Generation | null,
  end: SourceEnd,
): Promise<boolean> {
  return isLogProjection(projection)
    ? hasFoldedMessages(context, projection, generation, end)
    : hasFoldedEvents(context, projection, generation, end);
}

async function hasFoldedEvents(
  { store, documents }: Pick<Context, 'store' | 'documents'>,
  { categories }: EventProjection,
  generation: Generation | null,
  { position }: SourceEnd,
): Promise<boolean> {
  const [checkpoint] = generation?.checkpoints ?? [];
  const seen = checkpoint === undefined ? BEGINNING : lastSeen(await documents.checkpoint(checkpoint));
  if (seen >= position) return true;
  const next = await nextEventPosition(store, seen, categories);
  return next === null || next > position;
}

async function hasFoldedMessages(
  { documents }: Pick<Context, 'documents'>,
  { name, topics }: LogProjection,
  generation: Generation | null,
  { offsets }: SourceEnd,
): Promise<boolean> {
  for (const topic of topics)
    for (const [partition, end] of (offsets.get(topic) ?? []).entries()) {
      if (end === 0) continue;
      if (!generation) return false;
      const { checkpoint } = topicPartition(name, generation.generation, topic, partition);
      // An older version may read other topics.
      if (!generation.checkpoints.includes(checkpoint)) continue;
      if (lastSeen(await documents.checkpoint(checkpoint)) + 1 < end) return false;
    }
  return true;
}
