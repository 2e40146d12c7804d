import type { Checkpoint } from '../../contracts/ports/documents';
import { isLogProjection, type EventProjection, type LogProjection, type Projection } from '../projection';
import type { Context } from './context';
import type { Generation } from './generation';
import { lastSeen, topicPartition, partitionEnds } from './input-partition';
import { nextEventPosition } from './next-event';

/** How far a generation is behind its source. */
export interface Lag {
  readonly checkpoint: Checkpoint;
  readonly head: Checkpoint;
  /** Positions, or messages, not folded yet; 0 also when nothing after the checkpoint is of the projection's categories. */
  readonly lag: number;
}

export function lagOf(
  context: Pick<Context, 'store' | 'log' | 'documents'>,
  projection: Projection,
  generation: Generation,
): Promise<Lag> {
  return isLogProjection(projection)
    ? lagOfPartitions(context, projection, generation)
    : lagOfEvents(context, projection, generation);
}

async function lagOfEvents(
  { store, documents }: Pick<Context, 'store' | 'documents'>,
  { categories }: EventProjection,
  { checkpoints }: Generation,
): Promise<Lag> {
  const seen = lastSeen(await documents.checkpoint(checkpoints[0]!));
  const head = Math.max(await store.head(), seen);
  const isBehind = head > seen && (await nextEventPosition(store, seen, categories)) !== null;
  const lag = isBehind ? head - seen : 0;
  return { checkpoint: { position: seen }, head: { position: head }, lag };
}

async function lagOfPartitions(
  { log, documents }: Pick<Context, 'log' | 'documents'>,
  { name, topics }: LogProjection,
  { generation }: Generation,
): Promise<Lag> {
  const next: Record<string, number> = {};
  const ends: Record<string, number> = {};
  let lag = 0;
  for (const { topic, partition, end } of await partitionEnds(log, topics)) {
    const { checkpoint } = topicPartition(name, generation, topic, partition);
    const offset = lastSeen(await documents.checkpoint(checkpoint)) + 1;
    next[`${topic}/${partition}`] = offset;
    ends[`${topic}/${partition}`] = end;
    lag += Math.max(0, end - offset);
  }
  return { checkpoint: { offsets: next }, head: { offsets: ends }, lag };
}
