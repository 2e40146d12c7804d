import { type Database, openDatabase } from '../../sqlite/database';
import { SHORT_BUSY_TIMEOUT } from '../../sqlite/retry-while-busy';

/** How soon commits of other connections are noticed. */
const POLL_MS = 20;

/**
 * A connection of the adapter or of its writer thread.
 * @throws UnusableDatabase
 */
export function connect(path: string, cacheMiB: number): Database {
  const db = openDatabase(path, { pollMs: POLL_MS, engine: 'documents' });
  db.exec(SHORT_BUSY_TIMEOUT);
  // Otherwise libsql would sort all rows of a new index in memory; a larger cache does not fill a generation faster.
  db.exec(`PRAGMA temp_store=FILE; PRAGMA cache_size=${-cacheMiB * 1024}`);
  return db;
}
