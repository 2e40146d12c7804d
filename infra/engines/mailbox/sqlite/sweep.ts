import type { Database } from '../../sqlite/database';

/** Bounds the time that one sweep adds to a post. */
const MAX_DELETED = 1_000;

/** Deletes a bounded number of expired messages, oldest first. To be called inside a transaction. */
export function createSweep(db: Database): (now: number) => void {
  const sweep = db.prepare(
    `DELETE FROM messages WHERE id IN (
       SELECT id FROM messages WHERE expires_at <= ? ORDER BY expires_at LIMIT ${MAX_DELETED})`,
  );
  return now => void sweep.run([now]);
}
