import type { Database } from '../../sqlite/database';

/**
 * Deletes the events of a stream up to a revision, inside a transaction. The last event of the store stays: the position and
 * the time of the next one are derived from it.
 */
export function createDeletion(database: Database) {
  const find = database.prepare<[number]>('SELECT id FROM streams WHERE name = ?');
  const deleteEvents = database.prepare(
    `DELETE FROM events WHERE stream = ? AND revision <= ? AND position < (SELECT max(position) FROM events)`,
  );
  const deleteIds = database.prepare('DELETE FROM event_ids WHERE stream = ? AND revision <= ?');
  const deleteStream = database.prepare(
    'DELETE FROM streams WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM events WHERE stream = ?1)',
  );
  return (name: string, revision: number): void => {
    const [stream] = find.get([name]) ?? [];
    if (stream === undefined) return;
    deleteEvents.run([stream, revision]);
    deleteIds.run([stream, revision]);
    deleteStream.run([stream]);
  };
}
