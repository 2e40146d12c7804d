import type { Write } from '../../contracts/ports/documents';
import { noteDeletions, type Deletion } from './deletions';
import type { Entries } from './fold';
import { physical } from './generation';
import type { Lane } from './lane';
import { toStored } from './stored';

/** What the entries come to in a generation: what changed, after a note of what is deleted, `pending` deletions included. */
export function writesOf(
  entries: Entries,
  generation: number,
  lane: Lane,
  pending: readonly Deletion[],
): Write[] {
  const writes: Write[] = [];
  const deleted: Deletion[] = [];
  for (const [collection, byId] of entries)
    for (const [id, { document, seen, changed }] of byId) {
      if (!changed) continue;
      if (!document) deleted.push({ collection, id, seen });
      const stored = document && toStored(document, seen, lane.partition);
      writes.push({ collection: physical(collection, generation), id, document: stored });
    }
  if (deleted.length === 0) return writes;
  return [noteDeletions(lane.checkpoint, [...pending, ...deleted]), ...writes];
}
