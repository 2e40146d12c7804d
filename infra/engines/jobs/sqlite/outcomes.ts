import type { Database } from '../../sqlite/database';
import { errorText, retryDelay } from '../rules';
import type { Claimed } from './claims';
import type { Schedules } from './schedules';

/** How a run ends. Each does nothing when the job has been taken over meanwhile. */
export interface Outcomes {
  done(job: Claimed, owner: string, now: number): void;
  failed(job: Claimed, owner: string, error: unknown, now: number): void;
  /** As if it had not been run. */
  returned(job: Claimed, owner: string, now: number): void;
}

export function openOutcomes(db: Database, schedules: Schedules): Outcomes {
  const mine = `number = ?1 AND owner = ?2 AND attempt = ?3 AND state = 'running'`;
  const remove = db.prepare(`DELETE FROM jobs WHERE ${mine}`);
  const keep = db.prepare(
    `UPDATE jobs SET state = 'done', at = ?4, owner = NULL, data = '{}', error = NULL WHERE ${mine}`,
  );
  const retry = db.prepare(
    `UPDATE jobs SET state = 'waiting', at = ?4, owner = NULL, error = ?5 WHERE ${mine}`,
  );
  const giveUp = db.prepare(
    `UPDATE jobs SET state = 'failed', at = ?4, owner = NULL, error = ?5 WHERE ${mine}`,
  );
  const giveBack = db.prepare(
    `UPDATE jobs SET state = 'waiting', at = ?4, owner = NULL, attempt = attempt - 1 WHERE ${mine}`,
  );
  return {
    done: ({ number, attempt, keep: time }, owner, now) =>
      time > 0 ? keep.run([number, owner, attempt, now + time]) : remove.run([number, owner, attempt]),
    failed: (job, owner, error, now) =>
      db.transaction(() => {
        const { number, attempt, attempts, backoff, queue, schedule } = job;
        const retries = attempt < attempts;
        const at = retries ? now + retryDelay(backoff, attempt) : now;
        const { changes } = (retries ? retry : giveUp).run([number, owner, attempt, at, errorText(error)]);
        if (changes > 0 && !retries && schedule !== '') schedules.forgetFailures(queue, schedule, number);
      }),
    returned: ({ number, attempt }, owner, now) => void giveBack.run([number, owner, attempt, now]),
  };
}
