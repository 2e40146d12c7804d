import type { NewJob } from '../../../../contracts/ports/jobs';
import { withChecksum } from '../../sqlite/checksum';
import type { Database } from '../../sqlite/database';

/** Adds a job unless its id is taken. To be called inside a transaction. */
export type Insert = (job: Required<NewJob>, now: number) => boolean;

export function createInsert(db: Database): Insert {
  // A completed job keeps its id for a time, a failed one does not.
  const freeId = db.prepare(
    `DELETE FROM jobs WHERE queue = ? AND schedule = '' AND id = ?
      AND (state = 'failed' OR (state = 'completed' AND at <= ?))`,
  );
  const insert = db.prepare(
    `INSERT INTO jobs (queue, schedule, id, data, state, at, attempt, attempts, backoff_ms, keep_id_ms)
      VALUES (?, '', ?, ?, 'waiting', ?, 0, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  return ({ queue, id, data, delayMs, attempts, backoffMs, keepIdMs }, now) => {
    freeId.run([queue, id, now]);
    const values = [
      queue,
      id,
      withChecksum(JSON.stringify(data)),
      now + delayMs,
      attempts,
      backoffMs,
      keepIdMs,
    ];
    return insert.run(values).changes > 0;
  };
}
