import type { Database } from '../../sqlite/database';

/** Of 4 KiB. A smaller file is used again soon. */
const MIN_PAGES = 1_024;

/** Gives the space of a mailbox whose messages have all expired back to the disk: SQLite never makes a file smaller by itself. */
export function shrinkIfEmpty(db: Database): void {
  const [pages] = db.prepare<[number]>('PRAGMA page_count').get()!;
  if (pages < MIN_PAGES || db.prepare('SELECT 1 FROM messages LIMIT 1').get()) return;
  db.exec('VACUUM');
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}
