import type { Checkpoint } from '../../contracts/ports/documents';
import { isLogProjection, type EventProjection, type LogProjection, type Projection } from '../projection';
import type { Context } from './context';
import type { Generation } from './generation';
import { lastSeen, topicPartition } from './input-partition';
import { nextEventPosition } from './next-event';
import type { SourceEnd } from './source-end';

/** How far a generation is behind its source. */
export interface Lag {
  readonly checkpoint: Checkpoint;
  readonly head: Checkpoint;
  /** Positions, or messages, not folded yet; 0 also when nothing after the checkpoint is of the projection's categories. */
  readonly lag: number;
}

/** @param end where the sources of the projection ended, read before */
export function lagOf(
  context: Pick<Context, 'store' | 'documents'>,
  projection: Projection,
  generation: Generation,
  end: SourceEnd,
): Promise<Lag> {
  return isLogProjection(projection)
    ? lagOfPartitions(context, projection, generation, end)
    : lagOfEvents(context, projection, generation, end);
}

async function lagOfEvents(
  { store, documents }: Pick<Context, 'store' | 'documents'>,
  { categories }: EventProjection,
  { checkpoints }: Generation,
  { position }: SourceEnd,
): Promise<Lag> {
  const seen = lastSeen(await documents.checkpoint(checkpoints[0]!));
  const head = Math.max(position, seen);
  const isBehind = head > seen && (await nextEventPosition(store, seen, categories)) !== null;
  const lag = isBehind ? head - seen : 0;
  return { checkpoint: { position: seen }, head: { position: head }, lag };
}

async function lagOfPartitions(
  { documents }: Pick<Context, 'documents'>,
  { name, topics }: LogProjection,
  { generation }: Generation,
  { offsets }: SourceEnd,
): Promise<Lag> {
  const partitions = topics.flatMap(topic =>
    offsets.get(topic)!.map((end, partition) => ({ topic, partition, end })),
  );
  const seen = await Promise.all(
    partitions.map(async ({ topic, partition }) =>
      lastSeen(await documents.checkpoint(topicPartition(name, generation, topic, partition).checkpoint)),
    ),
  );
  const next: Record<string, number> = {};
  const ends: Record<string, number> = {};
  let lag = 0;
  for (const [i, { topic, partition, end }] of partitions.entries()) {
    const offset = seen[i]! + 1;
    next[`${topic}/${partition}`] = offset;
    ends[`${topic}/${partition}`] = end;
    lag += Math.max(0, end - offset);
  }
  return { checkpoint: { offsets: next }, head: { offsets: ends }, lag };
}
