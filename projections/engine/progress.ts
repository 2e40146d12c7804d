import type { StoredProgress } from '../../contracts/engine/stored-progress';
import { isLogProjection, type Projection } from '../projection';
import type { Context } from './context';
import type { Generation } from './generation';
import { lastSeen, partitionEnds, topicPartition, type PartitionEnd } from './input-partition';
import { readRecords } from './projection-record';

/**
 * What the live documents of the projections include. Nothing for those that have not run yet. It is read every few seconds by each
 * process, so the number of queries does not depend on the number of projections.
 */
export async function storedProgress(
  { documents, log }: Pick<Context, 'documents' | 'log'>,
  projections: readonly Projection[],
): Promise<StoredProgress[]> {
  const records = await readRecords(
    documents,
    projections.map(({ name }) => name),
  );
  const live = projections.flatMap(projection => {
    const generation = records.get(projection.name);
    return generation ? [{ projection, generation }] : [];
  });
  const partitions = await partitionEnds(log, [
    ...new Set(live.flatMap(({ projection }) => (isLogProjection(projection) ? projection.topics : []))),
  ]);
  return Promise.all(
    live
      .flatMap(({ projection, generation }) => checkpointsOf(projection, generation, partitions))
      .map(async ({ checkpoint, ...reader }) => ({
        ...reader,
        seen: lastSeen(await documents.checkpoint(checkpoint)),
      })),
  );
}

function checkpointsOf(
  projection: Projection,
  { generation, checkpoints }: Generation,
  partitions: readonly PartitionEnd[],
): (Omit<StoredProgress, 'seen'> & { readonly checkpoint: string })[] {
  const reader = `the projection ${projection.name}`;
  if (!isLogProjection(projection)) return [{ reader, partition: null, checkpoint: checkpoints[0]! }];
  return partitions
    .filter(({ topic }) => projection.topics.includes(topic))
    .map(({ topic, partition }) => ({
      reader,
      partition: { topic, partition },
      checkpoint: topicPartition(projection.name, generation, topic, partition).checkpoint,
    }));
}
