import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../sqlite/database';

const MAX_ATTEMPTS = 250;
const RETRY_MS = 20;

/** SQLite overwrites deleted content with zeros: https://www.sqlite.org/pragma.html#pragma_secure_delete */
export function enableSecureDelete(db: Database): void {
  return db.exec('PRAGMA secure_delete=ON');
}

/**
 * Copies the write-ahead log into the file and truncates it, since it holds older pages. Waits for readers.
 * @throws Error when a reader blocks it for more than five seconds
 */
export async function truncateWal(db: Database): Promise<void> {
  const checkpoint = db.prepare<[busy: number, frames: number, moved: number]>(
    'PRAGMA wal_checkpoint(TRUNCATE)',
  );
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    if (checkpoint.get()?.[0] === 0) return;
    await sleep(RETRY_MS);
  }
  throw new Error(
    `${db.path}: a reader blocks the write-ahead log, which still holds deleted data; try again`,
  );
}
