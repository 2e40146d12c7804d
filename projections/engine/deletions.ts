import type { Document, Documents, Write } from '../../contracts/ports/documents';
import type { DocumentKey } from '../projection';

/** Where the engine remembers the documents that the batch in hand deletes. */
export const DELETIONS = { name: 'projection-deletions', indexes: [] };

/** Per lane, the deletions that its checkpoint does not cover yet: `[collection, id, seen]`. */
type Deletions = { readonly _id: string; readonly keys: [string, string, number][] };

export interface Deletion extends DocumentKey {
  readonly seen: number;
}

/**
 * A deleted document cannot carry the input that deleted it, so the batch writes its deletions down first. They matter
 * only after a crash between documents and checkpoint, which adapters that commit both as one do not know.
 */
export function noteDeletions(lane: string, deletions: readonly Deletion[]): Write {
  const document: Deletions = {
    _id: lane,
    keys: deletions.map(({ collection, id, seen }) => [collection, id, seen]),
  };
  return { collection: DELETIONS.name, id: lane, document };
}

export function forgetDeletions(lane: string): Write {
  return {
    collection: DELETIONS.name,
    id: lane,
    document: null,
  };
}

/** The deletions of a batch that may have been cut off, that is those beyond what the checkpoint has seen. */
export async function pendingDeletions(
  documents: Documents,
  lane: string,
  seen: number,
): Promise<Deletion[]> {
  const noted = await documents.get<Deletions & Document>(DELETIONS.name, lane);
  return (noted?.keys ?? [])
    .map(([collection, id, deletedBy]) => ({ collection, id, seen: deletedBy }))
    .filter(deletion => deletion.seen > seen);
}
