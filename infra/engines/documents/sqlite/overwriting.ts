import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../sqlite/database';

const TRIES = 250;
const WAIT = 20;

/** What the content that is deleted or replaced from now on leaves in the file is zeros: https://www.sqlite.org/pragma.html#pragma_secure_delete */
export function overwriteDeleted(db: Database): void {
  return db.exec('PRAGMA secure_delete=ON');
}

/**
 * Brings everything into the file and cuts the log off, in which older pages lie. Waits while somebody reads them.
 * @throws Error when somebody reads for longer than five seconds
 */
export async function emptyLog(db: Database): Promise<void> {
  const checkpoint = db.prepare<[busy: number, frames: number, moved: number]>(
    'PRAGMA wal_checkpoint(TRUNCATE)',
  );
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    if (checkpoint.get()?.[0] === 0) return;
    await sleep(WAIT);
  }
  throw new Error(
    `${db.path}: somebody keeps reading, so that what was deleted is still in its log; try again`,
  );
}
