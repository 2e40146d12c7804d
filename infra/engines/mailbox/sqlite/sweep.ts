import type { Database } from '../../sqlite/database';

/** So that no post waits long for it. */
const MOST_AT_ONCE = 1_000;

/** Removes the messages that expired first, a bounded number at a time. To be called inside a transaction. */
export function sweeper(db: Database): (now: number) => void {
  const sweep = db.prepare(
    `DELETE FROM messages WHERE id IN (
       SELECT id FROM messages WHERE expires <= ? ORDER BY expires LIMIT ${MOST_AT_ONCE})`,
  );
  return now => void sweep.run([now]);
}
