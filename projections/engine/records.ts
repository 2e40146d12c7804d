import type { Documents } from '../../contracts/ports/documents';
import { pause } from './pause';
import { PROJECTIONS, type ProjectionRecord } from './record';

/** The records of all projections, kept up to date while anybody in this program or another changes them. */
export interface Records {
  /** Null until the projection has run for the first time. */
  get(name: string): Promise<ProjectionRecord | null>;
  /** The one at hand. */
  peek(name: string): ProjectionRecord | null;
  /** Reads anew. */
  refresh(): Promise<void>;
  /** Calls back after each refresh. Returns how to stop it. */
  onRefresh(listen: () => void): () => void;
  /** Resolves when the record is no longer the one given, or the signal fires. */
  beyond(record: ProjectionRecord, signal: AbortSignal): Promise<void>;
}

/** Milliseconds after which the records are read again although nobody said that they changed. */
const AT_LEAST_EVERY = 2_000;

/** Watches from the first use on, until the signal. */
export function watchRecords(documents: Documents, names: readonly string[], signal: AbortSignal): Records {
  const listeners = new Set<() => void>();
  const records = new Map<string, ProjectionRecord>();
  let started: Promise<void> | null = null;

  const refresh = async (): Promise<void> => {
    const read = await documents.getMany<ProjectionRecord>(PROJECTIONS.name, names);
    // Reads may overtake each other; a record never goes back.
    for (const [name, record] of read)
      if (record.revision > (records.get(name)?.revision ?? -1)) records.set(name, record);
    for (const listen of [...listeners]) listen();
  };

  const onRefresh = (listen: () => void): (() => void) => {
    listeners.add(listen);
    return () => void listeners.delete(listen);
  };

  const watch = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        // Armed before the read, so that a change during it is not slept through.
        const changed = documents.changed([PROJECTIONS.name], AT_LEAST_EVERY);
        await Promise.all([refresh(), changed]);
      } catch {
        await pause(AT_LEAST_EVERY, signal);
      }
    }
  };

  const start = async (): Promise<void> => {
    await documents.declare([PROJECTIONS]);
    await refresh();
    void watch();
  };

  const begun = (): Promise<void> => {
    started ??= start().catch((error: unknown) => {
      started = null;
      throw error;
    });
    return started;
  };

  return {
    async get(name) {
      await begun();
      return records.get(name) ?? null;
    },
    peek: name => records.get(name) ?? null,
    async refresh() {
      await begun();
      await refresh();
    },
    onRefresh,

    beyond: ({ _id, revision }, until) =>
      new Promise(resolve => {
        const look = (): void => {
          if (!until.aborted && records.get(_id)?.revision === revision) return;
          stopListening();
          until.removeEventListener('abort', look);
          resolve();
        };
        const stopListening = onRefresh(look);
        until.addEventListener('abort', look);
        look();
      }),
  };
}
