import type { Checkpoint } from '../../contracts/ports/documents';
import { isLogProjection, type EventProjection, type LogProjection, type Projection } from '../projection';
import type { Context } from './context';
import type { Generation } from './generation';
import { lastSeen, partitionLane } from './lane';
import { partitionEnds } from './partitions';

/** How far a generation is from what is recorded. */
export interface Lag {
  readonly checkpoint: Checkpoint;
  readonly head: Checkpoint;
  /** Positions, or messages, that are not folded yet; 0 also when what there is beyond the checkpoint concerns it not. */
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
  let lag = 0;
  if (head > seen)
    for await (const events of store.readAll({ after: seen, categories, limit: 1 }))
      if (events.length > 0) lag = head - seen;
  return { checkpoint: { position: seen }, head: { position: head }, lag };
}

async function lagOfPartitions(
  { log, documents }: Pick<Context, 'log' | 'documents'>,
  { name, topics }: LogProjection,
  { generation }: Generation,
): Promise<Lag> {
  const done: Record<string, number> = {};
  const ends: Record<string, number> = {};
  let lag = 0;
  for (const { topic, partition, end } of await partitionEnds(log, topics)) {
    const lane = partitionLane(name, generation, topic, partition);
    const next = lastSeen(await documents.checkpoint(lane.checkpoint)) + 1;
    done[`${topic}/${partition}`] = next;
    ends[`${topic}/${partition}`] = end;
    lag += Math.max(0, end - next);
  }
  return { checkpoint: { offsets: done }, head: { offsets: ends }, lag };
}
