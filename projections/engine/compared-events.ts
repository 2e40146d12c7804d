import type { CollectionSpec, Document, Documents, Write } from '../../contracts/ports/documents';
import type { Position } from '../../contracts/position';

/** How many events of its categories a generation has folded: those after a position, at or before another one. */
export interface FoldedEvents {
  readonly projection: string;
  /** Of the generation. */
  readonly checkpoint: string;
  readonly categories: readonly string[];
  readonly after: Position;
  readonly upTo: Position;
  readonly events: number;
}

/**
 * Up to where each generation was compared with the store, and what it had folded up to there, by its checkpoint: so that
 * each event is counted once, however long the history is.
 */
export const COMPARED_EVENTS: CollectionSpec = { name: 'projection-compared-events', indexes: [] };

type Compared = Document & Pick<FoldedEvents, 'after' | 'upTo' | 'events'>;

/** The parts that were not compared before. */
export async function notYetCompared(
  documents: Pick<Documents, 'getMany'>,
  folded: readonly FoldedEvents[],
): Promise<FoldedEvents[]> {
  const ids = folded.map(({ checkpoint }) => checkpoint);
  const compared = await documents.getMany<Compared>(COMPARED_EVENTS.name, ids);
  return folded.map(each => {
    const before = compared.get(each.checkpoint);
    // Another version may have folded meanwhile without counting; then the count begins again behind it.
    if (before?.after !== each.after || before.upTo > each.upTo) return each;
    return { ...each, after: before.upTo, events: each.events - before.events };
  });
}

export function recordCompared({ checkpoint, after, upTo, events }: FoldedEvents): Write {
  const document: Compared = { _id: checkpoint, after, upTo, events };
  return { collection: COMPARED_EVENTS.name, id: checkpoint, document };
}

export function clearCompared(checkpoint: string): Write {
  return { collection: COMPARED_EVENTS.name, id: checkpoint, document: null };
}
