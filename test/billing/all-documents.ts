import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';
import type { EventStore } from '../../contracts/ports/event-store';
import { foldUpTo, viewsAsOf } from '../../projections/as-of/fold';
import { createTimeline } from '../../projections/as-of/timeline';
import type { EventProjection } from '../../projections/projection';
import type { Views } from '../../projections/views';

type DocumentsByCollection = Record<string, unknown[]>;

/** All stored documents of the projections, by collection. */
export async function allDocuments(
  views: Views,
  projections: readonly EventProjection[],
): Promise<DocumentsByCollection> {
  const all: DocumentsByCollection = {};
  for (const { name } of projections.flatMap(({ collections }) => collections)) {
    all[name] = [];
    for await (const page of views.scan(name, { limit: 100 })) all[name].push(...page);
  }
  return all;
}

/**
 * All documents of a fold of the events up to a position, into an empty store.
 * @param file path of that store; must not exist
 */
export async function allDocumentsAsOf(
  store: Pick<EventStore, 'readAll'>,
  projections: readonly EventProjection[],
  position: number,
  file: string,
): Promise<DocumentsByCollection> {
  const documents = openSqliteDocuments({ path: file });
  const ledger = { documents, store, projections };
  const mark = (await createTimeline(store).find({ position }, Infinity))!;
  await foldUpTo(ledger, mark, new AbortController().signal);
  const all = await allDocuments(viewsAsOf(ledger, mark), projections);
  await documents.close();
  return all;
}
