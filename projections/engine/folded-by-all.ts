import { BEGINNING, type Position } from '../../contracts/position';
import type { Documents } from '../../contracts/ports/documents';
import { isLogProjection, type Projection } from '../projection';
import { topicPartition } from './input-partition';
import { partitionProgress } from './generation';
import { readRecords } from './projection-record';

/**
 * The position up to which every projection of a category has folded its events: the live generation of each, and the one that
 * is being built. Infinity where the category has no projection.
 */
export async function foldedByAll(
  documents: Documents,
  projections: readonly Projection[],
  category: string,
): Promise<Position> {
  const names = projections
    .filter(projection => !isLogProjection(projection) && projection.categories.includes(category))
    .map(({ name }) => name);
  const records = await readRecords(documents, names);
  const folded = names.map(async name => {
    const record = records.get(name);
    if (!record) return BEGINNING;
    const generations = [record, ...(record.building ? [record.building] : [])];
    const progress = await Promise.all(generations.map(each => partitionProgress(documents, each)));
    return Math.min(...progress.flatMap(each => [...each.values()]).map(({ seen }) => seen));
  });
  return Math.min(Infinity, ...(await Promise.all(folded)));
}

/**
 * By partition of a topic, the offset below which every projection has folded its records. Null while that is not known of the
 * documents there will be: while one is built, or is of another version than this program has.
 */
export async function foldedRecordsByAll(
  documents: Documents,
  projections: readonly Projection[],
  topic: string,
  partitions: number,
): Promise<readonly number[] | null> {
  const reading = projections.filter(each => isLogProjection(each) && each.topics.includes(topic));
  const records = await readRecords(
    documents,
    reading.map(({ name }) => name),
  );
  const folded = Array.from({ length: partitions }, () => Infinity);
  for (const { name, version } of reading) {
    const record = records.get(name);
    if (!record || record.building || record.version !== version) return null;
    const progress = await partitionProgress(documents, record);
    for (const partition of folded.keys()) {
      const { partition: input } = topicPartition(name, record.generation, topic, partition);
      folded[partition] = Math.min(folded[partition]!, (progress.get(input!)?.seen ?? -1) + 1);
    }
  }
  return folded;
}
