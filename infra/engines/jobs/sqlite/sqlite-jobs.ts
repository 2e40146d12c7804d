import type { JsonObject } from '../../../../contracts/json';
import { openDatabase } from '../../sqlite/database';
import { groupCommit } from '../../sqlite/group-commit';
import { layOut } from '../../sqlite/schema';
import type { FailedJob, Jobs, NewJob } from '../../../../contracts/ports/jobs';
import { checkSchedule, completed } from '../rules';
import { inserter } from './add';
import { openClaims } from './claims';
import { openOutcomes } from './outcomes';
import { openSchedules } from './schedules';
import { SCHEMA } from './schema';
import { runWorker } from './worker';

export interface SqliteJobsOptions {
  readonly path: string;
  /** Milliseconds since the epoch; default: the clock of the machine, which all processes at the file must share. */
  readonly clock?: () => number;
}

/** Milliseconds within which an idle worker sees what other processes add. */
const NOTICE = 20;

/** Jobs in one SQLite file, which any number of processes may have open. */
export function openSqliteJobs({ path, clock = Date.now }: SqliteJobsOptions): Jobs {
  const db = openDatabase(path, { poll: NOTICE, engine: 'jobs' });
  layOut(db, 1, SCHEMA);
  const schedules = openSchedules(db);
  const worker = {
    claims: openClaims(db, schedules),
    outcomes: openOutcomes(db, schedules),
    commits: db.commits,
    clock,
  };
  const insert = inserter(db);
  const additions = groupCommit<Required<NewJob>, boolean>({
    commit: jobs => db.transaction(() => jobs.map(job => insert(job, clock()))),
    weight: () => 1,
    capacity: 1_000,
  });
  const count = db.prepare<[string, number]>(
    'SELECT state, count(*) FROM jobs WHERE queue = ? GROUP BY state',
  );
  const failed = db.prepare<[string, string, number, string, number]>(
    `SELECT id, data, attempt, error, at FROM jobs WHERE queue = ? AND state = 'failed'
      ORDER BY at DESC, number DESC LIMIT ?`,
  );

  const closing = new AbortController();
  const workers = new Set<Promise<void>>();
  return {
    add: async job => additions.add(completed(job)),
    schedule: async schedule => {
      checkSchedule(schedule);
      schedules.declare(schedule, clock());
    },
    unschedule: async (queue, id) => schedules.remove(queue, id),
    work: (options, handle) => {
      const signal = AbortSignal.any([options.signal, closing.signal]);
      const work = runWorker(worker, { ...options, signal }, handle).finally(() => workers.delete(work));
      workers.add(work);
      return work;
    },
    counts: async queue => {
      const states = new Map(count.all([queue]));
      const of = (state: string): number => states.get(state) ?? 0;
      return { waiting: of('waiting'), running: of('running'), failed: of('failed') };
    },
    failures: async (queue, limit) =>
      failed.all([queue, limit]).map(([id, data, attempts, error, failedAt]): FailedJob => ({
        id,
        data: JSON.parse(data) as JsonObject,
        attempts,
        error,
        failedAt,
      })),
    close: async () => {
      closing.abort();
      await Promise.allSettled(workers);
      await additions.drained();
      db.close();
    },
  };
}
