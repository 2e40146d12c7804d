import type { RecordedEvent } from '../../contracts/ports/event-store';
import type { CollectionSpec, Document } from '../../contracts/ports/documents';

/**
 * Documents by user, each with the position of its last change: stored with what has changed, so that who is notified of them reads what
 * they are about.
 */
export function userChanges(name: string): CollectionSpec {
  return { name, indexes: [] };
}

export function userChange(userId: string, { position }: RecordedEvent): Document {
  return { _id: userId, position };
}
