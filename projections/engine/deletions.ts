import type { Document, Documents, Write } from '../../contracts/ports/documents';
import type { DocumentKey } from '../projection';

/** The documents that the current batch deletes, one document for each input partition. */
export const DELETIONS = { name: 'projection-deletions', indexes: [] };

/** Per input partition, the deletions that its checkpoint does not cover yet: `[collection, id, seen]`. */
type Deletions = { readonly _id: string; readonly keys: [string, string, number][] };

export interface Deletion extends DocumentKey {
  readonly seen: number;
}

/**
 * A deleted document cannot carry the input that deleted it, so the batch records its deletions first. They matter only
 * after a crash between documents and checkpoint, which cannot happen in adapters that commit both in one transaction.
 */
export function recordDeletions(checkpoint: string, deletions: readonly Deletion[]): Write {
  const document: Deletions = {
    _id: checkpoint,
    keys: deletions.map(({ collection, id, seen }) => [collection, id, seen]),
  };
  return { collection: DELETIONS.name, id: checkpoint, document };
}

export function clearDeletions(checkpoint: string): Write {
  return {
    collection: DELETIONS.name,
    id: checkpoint,
    document: null,
  };
}

/** Deletions of an interrupted batch: those after what the checkpoint has seen. */
export async function pendingDeletions(
  documents: Documents,
  checkpoint: string,
  seen: number,
): Promise<Deletion[]> {
  const recorded = await documents.get<Deletions & Document>(DELETIONS.name, checkpoint);
  return (recorded?.keys ?? [])
    .map(([collection, id, deletedBy]) => ({ collection, id, seen: deletedBy }))
    .filter(deletion => deletion.seen > seen);
}
