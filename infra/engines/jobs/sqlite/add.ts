import type { Database } from '../../sqlite/database';
import type { NewJob } from '../../../../contracts/ports/jobs';

/** Inside a transaction. */
export type Insert = (job: Required<NewJob>, now: number) => boolean;

/** A job that is done keeps its id for a time, one that failed does not. */
export function inserter(db: Database): Insert {
  const free = db.prepare(
    `DELETE FROM jobs WHERE queue = ? AND schedule = '' AND id = ?
      AND (state = 'failed' OR (state = 'done' AND at <= ?))`,
  );
  const insert = db.prepare(
    `INSERT INTO jobs (queue, schedule, id, data, state, at, attempt, attempts, backoff, keep)
      VALUES (?, '', ?, ?, 'waiting', ?, 0, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  return ({ queue, id, data, delay, attempts, backoff, keep }, now) => {
    free.run([queue, id, now]);
    return insert.run([queue, id, JSON.stringify(data), now + delay, attempts, backoff, keep]).changes > 0;
  };
}
