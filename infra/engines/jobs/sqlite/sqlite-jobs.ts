import type { JsonObject } from '../../../../contracts/json/json';
import { openDatabase } from '../../sqlite/database';
import { checkedText } from '../../sqlite/checksum';
import { text } from '../../sqlite/statement';
import { groupCommit } from '../../sqlite/group-commit';
import { ensureSchema } from '../../sqlite/schema';
import type { FailedJob, Jobs, NewJob } from '../../../../contracts/ports/jobs';
import { validateJob, validateSchedule } from '../validation';
import { createInsert } from './insert';
import { openClaims } from './claims';
import { openOutcomes } from './outcomes';
import { openSchedules } from './schedules';
import { SCHEMA } from './schema';
import { runWorker } from './worker';
import { readJson } from '../../../../contracts/json/read-json';

export interface SqliteJobsOptions {
  readonly path: string;
  /** Milliseconds since the epoch; default: the clock of the machine, which all processes at the file must share. */
  readonly clock?: () => number;
}

/** How soon an idle worker sees jobs added by other processes. */
const POLL_MS = 20;
const MAX_ADDED = 1_000;

/** Jobs in one SQLite file, for any number of processes on one machine. */
export function openSqliteJobs({ path, clock = Date.now }: SqliteJobsOptions): Jobs {
  const db = openDatabase(path, { pollMs: POLL_MS, engine: 'jobs' });
  ensureSchema(db, 1, SCHEMA);
  const schedules = openSchedules(db);
  const worker = {
    claims: openClaims(db, schedules),
    outcomes: openOutcomes(db, schedules),
    commits: db.commits,
    clock,
  };
  const insert = createInsert(db);
  const additions = groupCommit<Required<NewJob>, boolean>({
    commit: jobs => db.transaction(() => jobs.map(job => insert(job, clock()))),
    weight: () => 1,
    capacity: MAX_ADDED,
  });
  const count = db.prepare<[string, number]>(
    `SELECT ${text('state')}, count(*) FROM jobs WHERE queue = ? GROUP BY state`,
  );
  const countDelayed = db.prepare<[number]>(
    `SELECT count(*) FROM jobs WHERE queue = ? AND state = 'waiting' AND at > ?`,
  );
  // Goes from name to name in the index, however many jobs there are.
  const listQueues = db.prepare<[string]>(
    `WITH RECURSIVE names(queue) AS (
       SELECT min(queue) FROM jobs
       UNION ALL SELECT (SELECT min(queue) FROM jobs WHERE queue > names.queue) FROM names WHERE names.queue IS NOT NULL
     ) SELECT ${text('queue')} FROM names WHERE queue IS NOT NULL`,
  );
  const listFailed = db.prepare<[string, Buffer, number, string, number]>(
    `SELECT ${text('id')}, CAST(data AS BLOB), attempt, ${text('error')}, at FROM jobs WHERE queue = ? AND state = 'failed'
      ORDER BY at DESC, number DESC LIMIT ?`,
  );

  const closing = new AbortController();
  const workers = new Set<Promise<void>>();
  return {
    add: async job => additions.add(validateJob(job)),
    schedule: async schedule => {
      validateSchedule(schedule);
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
      const inState = (state: string): number => states.get(state) ?? 0;
      const [delayed] = countDelayed.get([queue, clock()])!;
      return { waiting: inState('waiting'), delayed, running: inState('running'), failed: inState('failed') };
    },
    queues: async () => listQueues.all([]).map(([queue]) => queue),
    failures: async (queue, limit) =>
      listFailed.all([queue, limit]).map(([id, data, attempts, error, failedAt]): FailedJob => ({
        id,
        data: readJson(checkedText(data) ?? '{}') as JsonObject,
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
