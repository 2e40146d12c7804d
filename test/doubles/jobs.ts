import type { Jobs, NewJob } from '../../contracts/ports/jobs';
import { openSqliteJobs } from '../../infra/engines/jobs/sqlite/sqlite-jobs';

/** The embedded jobs in memory, which record the added jobs and can fail to add one. */
export interface RecordedJobs extends Jobs {
  /** The jobs that were added, without those whose id was taken. */
  readonly added: NewJob[];
  /** Calls of `add` until one fails. */
  failAfter: number;
}

/** @param maxDelayMs a job with a longer delay is recorded with it, and runs after this time; default: no limit */
export function openRecordedJobs({ maxDelayMs = Infinity } = {}): RecordedJobs {
  const jobs = openSqliteJobs({ path: ':memory:' });
  const recorded: RecordedJobs = {
    ...jobs,
    added: [],
    failAfter: Infinity,
    add: async job => {
      if (recorded.failAfter-- <= 0) {
        recorded.failAfter = Infinity;
        throw new Error('jobs are not available');
      }
      const added = await jobs.add({ ...job, delayMs: Math.min(job.delayMs ?? 0, maxDelayMs) });
      if (added) recorded.added.push(job);
      return added;
    },
  };
  return recorded;
}
