import { type DatabaseOptions, openDatabase } from '../../sqlite/database';
import { groupCommit } from '../../sqlite/group-commit';
import { retryWhileBusy, SHORT_BUSY_TIMEOUT } from '../../sqlite/retry-while-busy';
import { ensureSchema } from '../../sqlite/schema';
import { type ValidatedAppend, acceptAppend } from '../validate-append';
import type { AppendResult, EventStore } from '../../../../contracts/ports/event-store';
import { createReader } from './reader';
import { SCHEMA, SCHEMA_VERSION } from './schema';
import { createWriter } from './writer';

export interface SqliteEventStoreOptions extends Omit<DatabaseOptions, 'engine'> {
  readonly path: string;
  /** For `created`; default: the system clock. */
  readonly clock?: () => Date;
}

const MAX_GROUP_CHARACTERS = 4 * 1024 * 1024;

/**
 * An event store in one SQLite file, for any number of processes.
 * @throws UnusableDatabase
 */
export function openSqliteEventStore(options: SqliteEventStoreOptions): EventStore {
  const { path, clock = () => new Date() } = options;
  const database = openDatabase(path, { ...options, engine: 'event store' });
  ensureSchema(database, SCHEMA_VERSION, SCHEMA);
  database.exec(SHORT_BUSY_TIMEOUT);
  const writer = createWriter(database, clock);
  const appends = groupCommit<ValidatedAppend, AppendResult>({
    commit: writer.append,
    weight: append => append.size,
    capacity: MAX_GROUP_CHARACTERS,
  });
  const { head, readStream, readAll, subscribe } = createReader(database);
  return {
    append: async (stream, expected, events) => appends.add(acceptAppend(stream, expected, events)),
    deleteUpTo: (stream, revision) => retryWhileBusy(() => writer.deleteUpTo(stream, revision)),
    readStream,
    readAll,
    subscribe,
    head: async () => head(),
    end: async () => head(),
    close: async () => {
      await appends.drained();
      database.close();
    },
  };
}
