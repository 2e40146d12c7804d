import type { Document } from '../../contracts/ports/documents';
import { FoldError, type Entry } from './fold';

/**
 * The form in which the engine stores a document: with the last input that changed it, and the partition that input
 * came from. Both are hidden from folds and queries. Where an adapter cannot commit documents and checkpoint as one, a
 * crash between them leaves documents ahead of the checkpoint, and `_seen` is what keeps the replay from folding twice.
 */
export function toStored(document: Document, seen: number, partition: string | null): Document {
  return partition === null ? { ...document, _seen: seen } : { ...document, _seen: seen, _lane: partition };
}

/** @throws when the document was written by another partition: messages of two keys, or of two topics, claim it. */
export function fromStored(stored: Document, partition: string | null): Pick<Entry, 'document' | 'seen'> {
  const { _seen, _lane = null, ...document } = stored;
  if (_lane !== partition)
    throw new FoldError(
      `document ${stored._id}`,
      `written by ${String(_lane)}, now touched by ${String(partition)}`,
    );
  return { document: document as Document, seen: _seen as number };
}

/** The document as folds and queries see it. */
export function visible<D extends Document>(stored: D): D {
  const { _seen, _lane, ...document } = stored as Document;
  void _seen;
  void _lane;
  return document as D;
}

export function seenBy(stored: Document | undefined): number {
  return (stored?.['_seen'] as number | undefined) ?? -1;
}

/** The partition a document was folded from; empty for events. */
export function laneOf(stored: Document | undefined): string {
  return (stored?.['_lane'] as string | undefined) ?? '';
}
