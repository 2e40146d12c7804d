import type { Database } from '../../sqlite/database';

/** Bounds the time that one sweep adds to a post. */
const MAX_DELETED = 1_000;
/** Between two sweeps, unless the last one has left something: one costs as much as a message when it finds nothing. */
const INTERVAL_MS = 20;

/** A bounded number of expired messages, oldest first. */
export const REMOVE_EXPIRED = `DELETE FROM message_index WHERE id IN (
  SELECT id FROM message_index WHERE expires_at <= ? ORDER BY expires_at LIMIT ${MAX_DELETED})`;

/**
 * To be called inside a transaction.
 * @returns a function that deletes a bounded number of expired messages, oldest first, and returns whether there may be more
 */
export function createSweep(db: Database): (now: number) => boolean {
  const sweep = db.prepare(REMOVE_EXPIRED);
  let dueAt = 0;
  return now => {
    if (now < dueAt) return false;
    const mayHaveLeft = sweep.run([now]).changes === MAX_DELETED;
    dueAt = mayHaveLeft ? now : now + INTERVAL_MS;
    return mayHaveLeft;
  };
}
