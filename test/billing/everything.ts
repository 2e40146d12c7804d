import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';
import type { EventStore } from '../../contracts/ports/event-store';
import { foldUpTo, viewsAsOf } from '../../projections/as-of/fold';
import { createTimeline } from '../../projections/as-of/timeline';
import type { EventProjection } from '../../projections/projection';
import type { Views } from '../../projections/views';

type Everything = Record<string, unknown[]>;

/** Every document of the projections, as it is stored, by collection. */
export async function everything(views: Views, projections: readonly EventProjection[]): Promise<Everything> {
  const all: Everything = {};
  for (const { name } of projections.flatMap(({ collections }) => collections)) {
    all[name] = [];
    for await (const page of views.scan(name, { limit: 100 })) all[name].push(...page);
  }
  return all;
}

/**
 * Every document that a fold of the events up to a position comes to, in documents that never held anything else.
 * @param file where these are to be: there must be none yet
 */
export async function everythingFoldedAnew(
  store: Pick<EventStore, 'readAll'>,
  projections: readonly EventProjection[],
  position: number,
  file: string,
): Promise<Everything> {
  const documents = openSqliteDocuments({ path: file });
  const ledger = { documents, store, projections };
  const mark = (await createTimeline(store).find({ position }, Infinity))!;
  await foldUpTo(ledger, mark, new AbortController().signal);
  const all = await everything(viewsAsOf(ledger, mark), projections);
  await documents.close();
  return all;
}
