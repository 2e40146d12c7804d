import type { Database } from '../../sqlite/database';

const MAX_DELETED_ROWS = 1000;
const MAX_INTERVAL_MS = 60_000;

/**
 * Deletes messages older than the retention from topics that are not compacted: the oldest of each partition, a bounded
 * number at a time, so that no publish waits long.
 * @param retentionMs Infinity keeps everything
 * @returns call it inside a transaction, as often as convenient, with the current time in milliseconds
 */
export function createRetention(database: Database, retentionMs: number): (now: number) => void {
  if (retentionMs === Infinity) return () => undefined;
  const partitions = database.prepare<[number]>(
    "SELECT p.id FROM topics AS t CROSS JOIN partitions AS p ON p.topic = t.id WHERE t.cleanup = 'delete'",
  );
  const sweep = database.prepare(
    `DELETE FROM messages WHERE timestamp < ?2 AND id IN (
       SELECT id FROM messages WHERE partition = ?1 ORDER BY offset LIMIT ${MAX_DELETED_ROWS})`,
  );
  const intervalMs = Math.min(MAX_INTERVAL_MS, retentionMs / 10);
  let nextSweep = -Infinity;

  return now => {
    if (now < nextSweep) return;
    const deleted = partitions.all().map(([id]) => sweep.run([id, now - retentionMs]).changes);
    nextSweep = deleted.includes(MAX_DELETED_ROWS) ? now : now + intervalMs;
  };
}
