import type { Database } from '../../sqlite/database';

const MOST_AT_ONCE = 1000;
const LONGEST_PAUSE = 60_000;

/**
 * Deletes what is older than the retention from topics that are not compacted: the oldest of each partition, a bounded
 * number at a time, so that no publish waits long for it.
 * @param retention in milliseconds; Infinity keeps everything
 * @returns to be called inside a transaction, as often as one likes, with the time in milliseconds
 */
export function createRetention(database: Database, retention: number): (now: number) => void {
  if (retention === Infinity) return () => undefined;
  const partitions = database.prepare<[number]>(
    "SELECT p.id FROM topics AS t CROSS JOIN partitions AS p ON p.topic = t.id WHERE t.cleanup = 'delete'",
  );
  const sweep = database.prepare(
    `DELETE FROM messages WHERE timestamp < ?2 AND id IN (
       SELECT id FROM messages WHERE partition = ?1 ORDER BY offset LIMIT ${MOST_AT_ONCE})`,
  );
  const pause = Math.min(LONGEST_PAUSE, retention / 10);
  let next = -Infinity;

  return now => {
    if (now < next) return;
    const deleted = partitions.all().map(([id]) => sweep.run([id, now - retention]).changes);
    next = deleted.includes(MOST_AT_ONCE) ? now : now + pause;
  };
}
