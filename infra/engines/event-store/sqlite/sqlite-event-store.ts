import { type DatabaseOptions, openDatabase } from '../../sqlite/database';
import { groupCommit } from '../../sqlite/group-commit';
import { IMPATIENT } from '../../sqlite/patience';
import { layOut } from '../../sqlite/schema';
import { type Draft, draft, isLargerThan } from '../draft';
import {
  APPEND_BYTES,
  AppendTooLarge,
  type Appended,
  type EventStore,
} from '../../../../contracts/ports/event-store';
import { createReader } from './reader';
import { DDL, LAYOUT, UPGRADES } from './schema';
import { createWriter } from './writer';

export interface SqliteEventStoreOptions extends Omit<DatabaseOptions, 'engine'> {
  readonly path: string;
  /** Gives `created`; default: the time of the system. */
  readonly clock?: () => Date;
}

const GROUP_CHARACTERS = 4 * 1024 * 1024;

/**
 * An event store in one SQLite file, for any number of processes.
 * @throws UnusableDatabase
 */
export function openSqliteEventStore(options: SqliteEventStoreOptions): EventStore {
  const { path, clock = () => new Date() } = options;
  const database = openDatabase(path, { ...options, engine: 'event store' });
  layOut(database, LAYOUT, DDL, UPGRADES);
  database.exec(IMPATIENT);
  const appends = groupCommit<Draft, Appended>({
    commit: createWriter(database, clock),
    weight: append => append.size,
    capacity: GROUP_CHARACTERS,
  });
  const { head, readStream, readAll, subscribe } = createReader(database);
  return {
    append: async (stream, expected, events) => {
      const checked = draft(stream, expected, events);
      if (isLargerThan(APPEND_BYTES, checked)) throw new AppendTooLarge(stream);
      return appends.add(checked);
    },
    readStream,
    readAll,
    subscribe,
    head: async () => head(),
    close: async () => {
      await appends.drained();
      database.close();
    },
  };
}
