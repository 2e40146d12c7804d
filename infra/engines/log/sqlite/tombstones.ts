import type { Database } from '../../sqlite/database';
import { TOMBSTONE_SQL } from './schema';

/** As long as those of Kafka by default: a reader that has read what was before them reads them, unless it takes longer. */
const TOMBSTONE_MS = 86_400_000;
const INTERVAL_MS = 60_000;
const MAX_DELETED_ROWS = 1000;

/**
 * Deletes old tombstones, a bounded number at a time, so that no publish waits long. The last message of a partition stays: at it
 * readers see where the partition ends.
 * @returns call it inside a transaction, as often as convenient, with the current time in milliseconds
 */
export function createTombstoneSweep(database: Database): (now: number) => void {
  const sweep = database.prepare(
    `DELETE FROM messages WHERE id IN (
       SELECT m.id FROM messages AS m INDEXED BY messages_tombstones
       WHERE m.timestamp < ?1 AND ${TOMBSTONE_SQL}
         AND m.offset < (SELECT end_offset - 1 FROM partitions WHERE id = m.partition)
       ORDER BY m.timestamp LIMIT ${MAX_DELETED_ROWS})`,
  );
  let nextSweep = -Infinity;

  return now => {
    if (now < nextSweep) return;
    const { changes } = sweep.run([now - TOMBSTONE_MS]);
    nextSweep = changes === MAX_DELETED_ROWS ? now : now + INTERVAL_MS;
  };
}
