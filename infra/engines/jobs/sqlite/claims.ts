import type { JsonObject } from '../../../../contracts/json/json';
import { checkedText, decodeText } from '../../sqlite/checksum';
import type { Database } from '../../sqlite/database';
import { text } from '../../sqlite/statement';
import type { Schedules } from './schedules';
import { readJson } from '../../../../contracts/json/read-json';

/** A job claimed by a worker. */
export interface ClaimedJob {
  readonly number: number;
  readonly queue: string;
  readonly schedule: string;
  readonly id: string;
  readonly data: JsonObject;
  readonly attempt: number;
  readonly attempts: number;
  readonly backoffMs: number;
  readonly keepIdMs: number;
}

export interface Claims {
  /** When the next job is due or the next lease ends; null when nothing waits or runs. */
  nextDue(queue: string): number | null;
  /** Claims up to `limit` due jobs. A damaged one fails at once. A job whose lease has ended is due again. */
  claim(queue: string, worker: string, leaseMs: number, limit: number, now: number): readonly ClaimedJob[];
  /** Extends the leases of a worker. @returns the attempts it still holds, by number */
  renew(queue: string, worker: string, leaseMs: number, now: number): ReadonlyMap<number, number>;
}

const KEEP_FAILED_MS = 30 * 86_400_000;

/** What RETURNING gives is cast here; the database does it for other queries (`castToDeclared`). */
const INTEGERS = ['attempt', 'attempts', 'backoff_ms', 'keep_id_ms'];

type Row = [number, Buffer, Buffer, Buffer, number, number, number, number];

export function openClaims(db: Database, schedules: Schedules): Claims {
  const nextDue = db.prepare<[number | null]>(
    `SELECT CAST(min(at) AS INTEGER) FROM (
      SELECT min(at) AS at FROM jobs WHERE queue = ?1 AND state = 'waiting'
      UNION ALL SELECT min(at) FROM jobs WHERE queue = ?1 AND state = 'running')`,
  );
  const renewLeases = db.prepare<[number, number]>(
    `UPDATE jobs SET at = ? WHERE queue = ? AND state = 'running' AND worker = ? RETURNING number, CAST(attempt AS INTEGER)`,
  );
  const releaseExpired = db.prepare<[number, string, string]>(
    `UPDATE jobs SET
        state = CASE WHEN attempt < attempts THEN 'waiting' ELSE 'failed' END,
        error = 'the worker died, or did not renew its lease',
        worker = NULL
      WHERE queue = ?1 AND state = 'running' AND at <= ?2 RETURNING number, ${text('schedule')}, ${text('state')}`,
  );
  const remove = db.prepare('DELETE FROM jobs WHERE queue = ? AND state = ? AND at <= ?');
  const claim = db.prepare<Row>(
    `UPDATE jobs SET state = 'running', attempt = attempt + 1, worker = ?1, at = ?2
      WHERE number IN (
        SELECT number FROM jobs WHERE queue = ?3 AND state = 'waiting' AND at <= ?4 ORDER BY at, number LIMIT ?5)
      RETURNING number, CAST(schedule AS BLOB), CAST(id AS BLOB), CAST(data AS BLOB),
        ${INTEGERS.map(column => `CAST(${column} AS INTEGER)`).join()}`,
  );
  const markDamaged = db.prepare(
    `UPDATE jobs SET state = 'failed', at = ?2, worker = NULL, error = 'its data is damaged' WHERE number = ?1`,
  );
  const renew: Claims['renew'] = (queue, worker, leaseMs, now) =>
    new Map(renewLeases.all([now + leaseMs, queue, worker]));

  return {
    nextDue: queue => nextDue.get([queue])![0],
    renew,
    claim: (queue, worker, leaseMs, limit, now) =>
      // Not flushed: a job whose claim is lost runs again.
      db.transaction(
        () => {
          // A worker whose own leases have just ended keeps them unless another worker has claimed the jobs.
          renew(queue, worker, leaseMs, now);
          for (const [number, schedule, state] of releaseExpired.all([queue, now]))
            if (schedule !== '' && state === 'failed') schedules.removeFailures(queue, schedule, number);
          remove.run([queue, 'completed', now]);
          remove.run([queue, 'failed', now - KEEP_FAILED_MS]);
          const rows = claim.all([worker, now + leaseMs, queue, now, limit]).sort(([a], [b]) => a - b);
          return rows.flatMap(([number, scheduleBytes, idBytes, dataBytes, ...rest]) => {
            const [attempt, attempts, backoffMs, keepIdMs] = rest;
            const [schedule, id] = [decodeText(scheduleBytes), decodeText(idBytes)];
            const json = checkedText(dataBytes);
            // An index that misses the job would have it claimed again and again.
            const isEndless = attempt > attempts;
            if (schedule === null || id === null || json === null || isEndless) {
              // The others must not wait for it.
              markDamaged.run([number, now]);
              return [];
            }
            if (schedule !== '' && attempt === 1) schedules.insertNext(queue, schedule, now);
            const data = readJson(json) as JsonObject;
            return [{ number, queue, schedule, id, data, attempt, attempts, backoffMs, keepIdMs }];
          });
        },
        { durable: false },
      ),
  };
}
