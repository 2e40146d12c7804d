import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventStore } from '../../../../../contracts/ports/event-store';
import type { Position } from '../../../../../contracts/position';
import { foldUpTo, viewsAsOf, type OnFolding } from '../../../../../projections/as-of/fold';
import { BeyondHead, type Moment } from '../../../../../projections/as-of/port';
import { FIRST, search } from '../../../../../projections/as-of/timeline';
import type { EventProjection } from '../../../../../projections/projection';
import type { Views } from '../../../../../projections/views';
import { openSqliteDocuments } from '../../../../engines/documents/sqlite/sqlite-documents';

export interface ProjectionAsOfOptions {
  readonly store: Pick<EventStore, 'readAll' | 'end'>;
  readonly signal: AbortSignal;
  readonly onProgress?: OnFolding;
}

/**
 * Folds the events of one projection up to a moment, from the first, and reads its documents, which are in a temporary file
 * meanwhile.
 * @param read its position is that of the last event of the projection at the moment
 * @throws BeyondHead; the reason of the signal
 */
export async function readProjectionAsOf<Result>(
  projection: EventProjection,
  moment: Moment,
  { store, signal, onProgress }: ProjectionAsOfOptions,
  read: (views: Views, position: Position) => Promise<Result>,
): Promise<Result> {
  const end = await store.end();
  if (moment.position !== undefined && moment.position > end) throw new BeyondHead(end);
  const { categories } = projection;
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-replay-'));
  const documents = openSqliteDocuments({ path: join(folder, 'documents.sqlite') });
  try {
    const mark = await search(store, FIRST, moment, Infinity, { signal, categories });
    const folded = { documents, store, projections: [projection] };
    await foldUpTo(folded, mark!, signal, onProgress);
    return await read(viewsAsOf(folded, mark!), mark!.position);
  } finally {
    await documents.close();
    await rm(folder, { recursive: true });
  }
}
