import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Documents } from '../../contracts/ports/documents';
import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';
import type { NewEvent } from '../../contracts/ports/event-store';
import { openSqliteEventStore } from '../../infra/engines/event-store/sqlite/sqlite-event-store';
import { openSqliteLog } from '../../infra/engines/log/sqlite/sqlite-log';
import { createProjectionEngine, type EngineOptions } from '../../projections/engine/engine';
import { temporaryFolder } from '../temporary-folder';

export { until } from '../until';

/** How long a program may take to project; only what hangs takes longer. */
export const PROJECTING_TIMEOUT_MS = 60_000;

/** Opens another client of the documents, which are in the folder or elsewhere. */
export type OpenDocuments = (folder: string) => Documents;

const openInFolder: OpenDocuments = folder => openSqliteDocuments({ path: join(folder, 'documents.db') });

/** A data folder shared by the programs of one test; `remove` stops them. */
export function dataFolder(openDocuments = openInFolder) {
  const path = temporaryFolder();
  const programs: { stop(): Promise<void> }[] = [];
  return {
    path,
    /** Another client of the documents; the program that it is given to closes it. */
    documents: () => openDocuments(path),
    /** A program with its own connections and engine, as in another process. */
    open(options: Pick<EngineOptions, 'projections'> & Partial<EngineOptions>) {
      const program = openProgram(path, { ...options, documents: options.documents ?? openDocuments(path) });
      programs.push(program);
      return program;
    },
    async remove() {
      for (const program of programs) await program.stop();
      rmSync(path, { recursive: true, force: true });
    },
  };
}

export type DataFolder = ReturnType<typeof dataFolder>;

function openProgram(
  path: string,
  options: Pick<EngineOptions, 'projections' | 'documents'> & Partial<EngineOptions>,
) {
  const { documents } = options;
  const store = openSqliteEventStore({ path: join(path, 'events.db') });
  const log = openSqliteLog({ path: join(path, 'log.db') });
  const stopped = new AbortController();
  const engine = createProjectionEngine({
    store,
    log,
    clock: () => new Date(),
    logger: pino({ level: 'silent' }),
    signal: stopped.signal,
    ...options,
  });
  let running = Promise.resolve();
  return {
    documents,
    store,
    log,
    engine,
    views: engine.views,
    start() {
      running = engine.run(stopped.signal);
    },
    async stop() {
      if (stopped.signal.aborted) return;
      stopped.abort();
      await running;
      await store.close();
      await log.close();
      await documents.close();
    },
  };
}

export type Program = ReturnType<typeof openProgram>;

let ids = 0;

export function paid(account: string, amount: number): NewEvent {
  return event('Paid', account, amount);
}
export function closed(account: string): NewEvent {
  return event('Closed', account, 0);
}

const event = (type: string, account: string, amount: number): NewEvent => ({
  id: `00000000-0000-4000-8000-${String(ids++).padStart(12, '0')}`,
  type,
  data: { account, amount },
  metadata: { v: 1 },
});
