import type { Document } from '../../contracts/ports/documents';
import { FoldError, type Entry } from './fold';

/**
 * A document as the engine stores it: with the last input that changed it, by which generations are compared, and the partition
 * of that input. Folds and queries see neither.
 */
export function toStored(document: Document, seen: number, partition: string | null): Document {
  return partition === null
    ? { ...document, _seen: seen }
    : { ...document, _seen: seen, _partition: partition };
}

/** @throws FoldError when another partition has written the document: the fold touches documents of another key */
export function fromStored(stored: Document, partition: string | null): Pick<Entry, 'document' | 'seen'> {
  const { _seen, _partition = null, ...document } = stored;
  if (_partition !== partition)
    throw new FoldError(
      `document ${stored._id}`,
      `written by partition ${String(_partition)}, now touched by ${String(partition)}`,
    );
  return { document: document as Document, seen: _seen as number };
}

/** Of frozen documents, which are read again and again. */
const copies = new WeakMap<Document, Document>();

/** The document as folds and queries see it; of a frozen one, the same frozen copy each time. */
export function withoutEngineFields<D extends Document>(stored: D): D {
  const known = copies.get(stored);
  if (known) return known as D;
  const { _seen, _partition, ...document } = stored as Document;
  void _seen;
  void _partition;
  if (Object.isFrozen(stored)) copies.set(stored, Object.freeze(document));
  return document as D;
}

export function lastSeenBy(stored: Document | undefined): number {
  return (stored?.['_seen'] as number | undefined) ?? -1;
}

/** The partition that a document was folded from; empty for events. */
export function partitionOf(stored: Document | undefined): string {
  return (stored?.['_partition'] as string | undefined) ?? '';
}
