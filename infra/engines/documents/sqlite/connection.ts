import { type Database, openDatabase } from '../../sqlite/database';
import { IMPATIENT } from '../../sqlite/patience';

/** Milliseconds within which `changed` sees the commits of other connections. */
const NOTICE = 20;

/**
 * A connection as the adapter and its thread have it.
 * @param cache MiB
 * @throws UnusableDatabase
 */
export function connect(path: string, cache: number): Database {
  const db = openDatabase(path, { poll: NOTICE, engine: 'documents' });
  db.exec(IMPATIENT);
  // libsql would sort the rows of a new index in memory, all of them; filling a generation is no faster with more cache.
  db.exec(`PRAGMA temp_store=FILE; PRAGMA cache_size=${-cache * 1024}`);
  return db;
}
