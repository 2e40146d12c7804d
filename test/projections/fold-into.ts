import type { Document } from '../../contracts/ports/documents';
import type { LogMessage } from '../../contracts/ports/log';
import type { LogProjection } from '../../projections/projection';

/** Folds messages of the topics of a projection, one by one, into documents by collection and id. */
export function foldInto(
  documents: Map<string, Document>,
  projection: LogProjection,
  messages: readonly LogMessage[],
): Map<string, Document> {
  for (const message of messages.filter(({ topic }) => projection.topics.includes(topic)))
    for (const key of projection.touches(message)) {
      const id = `${key.collection}/${key.id}`;
      const folded = projection.fold(documents.get(id) ?? null, message, key);
      if (folded) documents.set(id, folded);
      else documents.delete(id);
    }
  return documents;
}
