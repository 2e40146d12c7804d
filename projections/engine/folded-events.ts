import type { Documents } from '../../contracts/ports/documents';
import { isLogProjection, type Projection } from '../projection';
import type { FoldedEvents } from './compared-events';
import { countIn, isFrozen, lastSeen } from './input-partition';
import { readRecord } from './projection-record';

/** What the live generations of the projections of events have folded since they count. */
export async function foldedEvents(
  documents: Documents,
  projections: readonly Projection[],
): Promise<FoldedEvents[]> {
  const folded: FoldedEvents[] = [];
  for (const projection of projections) {
    if (isLogProjection(projection)) continue;
    const record = await readRecord(documents, projection.name);
    const checkpoint = record?.checkpoints[0];
    const stored = checkpoint === undefined ? null : await documents.checkpoint(checkpoint);
    // Frozen: another generation has just become the live one.
    if (checkpoint === undefined || !stored || isFrozen(stored)) continue;
    const { name, categories } = projection;
    folded.push({ projection: name, checkpoint, categories, ...countIn(stored), upTo: lastSeen(stored) });
  }
  return folded;
}
