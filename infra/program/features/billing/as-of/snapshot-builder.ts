import { foldUpTo, type OnFolding } from '../../../../../projections/as-of/fold';
import type { Moment } from '../../../../../projections/as-of/port';
import { search, type Mark } from '../../../../../projections/as-of/timeline';
import type { EventProjection } from '../../../../../projections/projection';
import { openSqliteDocuments } from '../../../../engines/documents/sqlite/sqlite-documents';
import type { EventStore } from '../../../../../contracts/ports/event-store';

/** The slow part of a snapshot: it may read every event. */
export interface SnapshotBuilder {
  /**
   * Finds the last event of the ledger as of the moment, starting at an earlier mark.
   * @param onMark called with marks found meanwhile
   * @throws EngineUnavailable; the reason of the signal
   */
  find(moment: Moment, from: Mark, signal: AbortSignal, onMark: (mark: Mark) => void): Promise<Mark>;
  /**
   * Folds the events up to the mark into the documents of a file, which may contain those of an earlier mark.
   * @throws FoldError, EngineUnavailable; the reason of the signal
   */
  fold(file: string, mark: Mark, signal: AbortSignal, onProgress: OnFolding): Promise<void>;
}

interface Ledger {
  readonly store: Pick<EventStore, 'readAll'>;
  readonly projections: readonly EventProjection[];
}

/** In the thread of the caller. */
export function inProcessBuilder({ store, projections }: Ledger): SnapshotBuilder {
  return {
    find: async (moment, from, signal, onMark) =>
      (await search(store, from, moment, Infinity, { signal, onMark }))!,

    async fold(file, mark, signal, onProgress) {
      const documents = openSqliteDocuments({ path: file });
      try {
        await foldUpTo({ documents, store, projections }, mark, signal, onProgress);
      } finally {
        await documents.close();
      }
    },
  };
}
