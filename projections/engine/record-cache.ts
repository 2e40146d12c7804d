import type { Documents } from '../../contracts/ports/documents';
import { sleep } from '../../contracts/retry/retry';
import { PROJECTIONS, readRecords, type ProjectionRecord } from './projection-record';

/** The records of all projections, kept up to date with changes by this program and others. */
export interface RecordCache {
  /** Null until the projection has run for the first time. */
  get(name: string): Promise<ProjectionRecord | null>;
  /** The known one, without reading. */
  peek(name: string): ProjectionRecord | null;
  /** Reads all of them again. */
  refresh(): Promise<void>;
  /** Calls back after each refresh. @returns a function that unsubscribes */
  onRefresh(listen: () => void): () => void;
  /** Resolves when the record is no longer the given one, or at the signal. */
  changedFrom(record: ProjectionRecord, signal: AbortSignal): Promise<void>;
}

/** Interval at which the records are read again without a change notification. */
const REFRESH_MS = 2_000;

/** Watches from the first use until the signal. */
export function createRecordCache(
  documents: Documents,
  names: readonly string[],
  signal: AbortSignal,
): RecordCache {
  const listeners = new Set<() => void>();
  const records = new Map<string, ProjectionRecord>();
  let started: Promise<void> | null = null;

  const readAll = async (): Promise<void> => {
    const read = await readRecords(documents, names);
    // Reads may overtake each other: never replace a newer record.
    for (const [name, record] of read)
      if (record.revision > (records.get(name)?.revision ?? -1)) records.set(name, record);
    for (const listen of [...listeners]) listen();
  };

  let reading: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const begin = (): Promise<void> => {
    next = null;
    const begun = readAll().finally(() => {
      if (reading === begun) reading = null;
    });
    return (reading = begun);
  };
  /** Begins after the call. While the records are read, all who ask for them share the next read, or the error of this one. */
  const refresh = (): Promise<void> => {
    if (!reading) return begin();
    next ??= reading.then(begin, (error: unknown) => {
      next = null;
      throw error;
    });
    return next;
  };

  const onRefresh = (listen: () => void): (() => void) => {
    listeners.add(listen);
    return () => void listeners.delete(listen);
  };

  const watch = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        // Subscribed before the read, so that a change during it is not missed.
        const changed = documents.waitForChange([PROJECTIONS.name], REFRESH_MS);
        await Promise.all([refresh(), changed]);
      } catch {
        await sleep(REFRESH_MS, signal);
      }
    }
  };

  const start = async (): Promise<void> => {
    await documents.declare([PROJECTIONS]);
    await refresh();
    void watch();
  };

  const ready = (): Promise<void> => {
    started ??= start().catch((error: unknown) => {
      started = null;
      throw error;
    });
    return started;
  };

  return {
    async get(name) {
      await ready();
      return records.get(name) ?? null;
    },
    peek: name => records.get(name) ?? null,
    async refresh() {
      await ready();
      await refresh();
    },
    onRefresh,

    changedFrom: ({ _id, revision }, until) =>
      new Promise(resolve => {
        const check = (): void => {
          if (!until.aborted && records.get(_id)?.revision === revision) return;
          stopListening();
          until.removeEventListener('abort', check);
          resolve();
        };
        const stopListening = onRefresh(check);
        until.addEventListener('abort', check);
        check();
      }),
  };
}
