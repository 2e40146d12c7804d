import type { StoredProgress } from '../../contracts/engine/stored-progress';
import { isLogProjection, type Projection } from '../projection';
import type { Context } from './context';
import { lastSeen, partitionEnds, topicPartition } from './input-partition';
import { readRecord } from './projection-record';

/** What the live documents of the projections include. Nothing for those that have not run yet. */
export async function storedProgress(
  { documents, log }: Pick<Context, 'documents' | 'log'>,
  projections: readonly Projection[],
): Promise<StoredProgress[]> {
  const progress = await Promise.all(projections.map(each => progressOf(documents, log, each)));
  return progress.flat();
}

async function progressOf(
  documents: Context['documents'],
  log: Context['log'],
  projection: Projection,
): Promise<StoredProgress[]> {
  const record = await readRecord(documents, projection.name);
  if (!record) return [];
  const reader = `the projection ${projection.name}`;
  const seenBy = async (checkpoint: string): Promise<number> =>
    lastSeen(await documents.checkpoint(checkpoint));
  if (!isLogProjection(projection))
    return [{ reader, partition: null, seen: await seenBy(record.checkpoints[0]!) }];
  const partitions = await partitionEnds(log, projection.topics);
  return Promise.all(
    partitions.map(async ({ topic, partition }) => {
      const { checkpoint } = topicPartition(projection.name, record.generation, topic, partition);
      return { reader, partition: { topic, partition }, seen: await seenBy(checkpoint) };
    }),
  );
}
