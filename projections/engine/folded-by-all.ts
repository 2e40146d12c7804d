import { BEGINNING, type Position } from '../../contracts/position';
import type { Documents } from '../../contracts/ports/documents';
import { isLogProjection, type Projection } from '../projection';
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
