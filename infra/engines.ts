import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config';
import type { Documents } from './documents/port';
import { openSqliteDocuments } from './documents/sqlite';
import type { EventStore } from './event-store/port';
import { openSqliteEventStore } from './event-store/sqlite';
import type { Jobs } from './jobs/port';
import { openSqliteJobs } from './jobs/sqlite';
import type { Log } from './log/port';
import { openSqliteLog } from './log/sqlite';

/** The four engines that everything above knows as ports. */
export interface Engines {
  readonly store: EventStore;
  readonly log: Log;
  readonly documents: Documents;
  readonly jobs: Jobs;
  close(): Promise<void>;
}

/** A file each, so that the writes of a rebuild never queue before an append. @throws UnusableDatabase */
export function openEngines({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): Engines {
  mkdirSync(DATA_DIR, { recursive: true });
  const store = openSqliteEventStore({ path: join(DATA_DIR, 'events.sqlite') });
  const log = openSqliteLog({ path: join(DATA_DIR, 'log.sqlite') });
  const documents = openSqliteDocuments({ path: join(DATA_DIR, 'documents.sqlite') });
  const jobs = openSqliteJobs({ path: join(DATA_DIR, 'jobs.sqlite') });
  return {
    store,
    log,
    documents,
    jobs,
    async close() {
      await Promise.all([store.close(), log.close(), documents.close(), jobs.close()]);
    },
  };
}
