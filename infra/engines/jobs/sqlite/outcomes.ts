import { withChecksum } from '../../sqlite/checksum';
import type { Database } from '../../sqlite/database';
import { errorText } from '../error-text';
import { retryDelay } from '../timing';
import type { ClaimedJob } from './claims';
import type { Schedules } from './schedules';

/**
 * Records how a run ended. Does nothing when another worker has claimed the job in the meantime. Not flushed to the disk: a job whose
 * end is lost with the machine runs again, as one does whose worker has died before the end.
 */
export interface Outcomes {
  complete(job: ClaimedJob, worker: string, now: number): void;
  fail(job: ClaimedJob, worker: string, error: unknown, now: number): void;
  /** Returns the job to the queue without counting the attempt. */
  release(job: ClaimedJob, worker: string, now: number): void;
}

export function openOutcomes(db: Database, schedules: Schedules): Outcomes {
  const isOwn = `number = ?1 AND worker = ?2 AND attempt = ?3 AND state = 'running'`;
  const remove = db.prepare(`DELETE FROM jobs WHERE ${isOwn}`);
  const keepId = db.prepare(
    `UPDATE jobs SET state = 'completed', at = ?4, worker = NULL, data = '${withChecksum('{}')}', error = NULL WHERE ${isOwn}`,
  );
  const retry = db.prepare(
    `UPDATE jobs SET state = 'waiting', at = ?4, worker = NULL, error = ?5 WHERE ${isOwn}`,
  );
  const markFailed = db.prepare(
    `UPDATE jobs SET state = 'failed', at = ?4, worker = NULL, error = ?5 WHERE ${isOwn}`,
  );
  const release = db.prepare(
    `UPDATE jobs SET state = 'waiting', at = ?4, worker = NULL, attempt = attempt - 1 WHERE ${isOwn}`,
  );
  return {
    complete: ({ number, attempt, keepIdMs }, worker, now) =>
      db.transaction(
        () => {
          if (keepIdMs > 0) keepId.run([number, worker, attempt, now + keepIdMs]);
          else remove.run([number, worker, attempt]);
        },
        { durable: false },
      ),
    fail: (job, worker, error, now) =>
      db.transaction(
        () => {
          const { number, attempt, attempts, backoffMs, queue, schedule } = job;
          const retries = attempt < attempts;
          const at = retries ? now + retryDelay(backoffMs, attempt) : now;
          const statement = retries ? retry : markFailed;
          const { changes } = statement.run([number, worker, attempt, at, errorText(error)]);
          if (changes > 0 && !retries && schedule !== '') schedules.removeFailures(queue, schedule, number);
        },
        { durable: false },
      ),
    release: ({ number, attempt }, worker, now) =>
      db.transaction(() => void release.run([number, worker, attempt, now]), { durable: false }),
  };
}
