import type { JsonObject } from '../../../../contracts/json';
import type { Database } from '../../sqlite/database';
import type { Schedules } from './schedules';

/** A job in the hands of a worker. */
export interface Claimed {
  readonly number: number;
  readonly queue: string;
  readonly schedule: string;
  readonly id: string;
  readonly data: JsonObject;
  readonly attempt: number;
  readonly attempts: number;
  readonly backoff: number;
  readonly keep: number;
}

export interface Claims {
  /** When the next job is due or the next lease ends; null when nothing waits or runs. */
  next(queue: string): number | null;
  /** Takes what is due, at most so many; what a dead worker held is due when its lease has ended. */
  claim(queue: string, owner: string, lease: number, most: number, now: number): readonly Claimed[];
  /** Extends the leases of a worker. @returns the attempts that are still its own, by number */
  renew(queue: string, owner: string, lease: number, now: number): ReadonlyMap<number, number>;
}

const KEEP_FAILED = 30 * 86_400_000;

type Row = [number, string, string, string, string, number, number, number, number];

export function openClaims(db: Database, schedules: Schedules): Claims {
  const next = db.prepare<[number | null]>(
    `SELECT min(at) FROM (
      SELECT min(at) AS at FROM jobs WHERE queue = ?1 AND state = 'waiting'
      UNION ALL SELECT min(at) FROM jobs WHERE queue = ?1 AND state = 'running')`,
  );
  const renew = db.prepare<[number, number]>(
    `UPDATE jobs SET at = ? WHERE queue = ? AND state = 'running' AND owner = ? RETURNING number, attempt`,
  );
  const abandon = db.prepare<[number, string, string]>(
    `UPDATE jobs SET
        state = CASE WHEN attempt < attempts THEN 'waiting' ELSE 'failed' END,
        error = 'the worker died, or did not renew its lease',
        owner = NULL
      WHERE queue = ?1 AND state = 'running' AND at <= ?2 RETURNING number, schedule, state`,
  );
  const forget = db.prepare('DELETE FROM jobs WHERE queue = ? AND state = ? AND at <= ?');
  const claim = db.prepare<Row>(
    `UPDATE jobs SET state = 'running', attempt = attempt + 1, owner = ?1, at = ?2
      WHERE number IN (
        SELECT number FROM jobs WHERE queue = ?3 AND state = 'waiting' AND at <= ?4 ORDER BY at, number LIMIT ?5)
      RETURNING number, queue, schedule, id, data, attempt, attempts, backoff, keep`,
  );
  const renewed = (queue: string, owner: string, lease: number, now: number): ReadonlyMap<number, number> =>
    new Map(renew.all([now + lease, queue, owner]));

  return {
    next: queue => next.get([queue])![0],
    renew: renewed,
    claim: (queue, owner, lease, most, now) =>
      db.transaction(() => {
        // A worker that was only slow keeps what nobody has taken from it.
        renewed(queue, owner, lease, now);
        for (const [number, schedule, state] of abandon.all([queue, now]))
          if (schedule !== '' && state === 'failed') schedules.forgetFailures(queue, schedule, number);
        forget.run([queue, 'done', now]);
        forget.run([queue, 'failed', now - KEEP_FAILED]);
        const rows = claim.all([owner, now + lease, queue, now, most]).sort(([a], [b]) => a - b);
        return rows.map(([number, , schedule, id, data, attempt, attempts, backoff, keep]) => {
          if (schedule !== '' && attempt === 1) schedules.advance(queue, schedule, now);
          const parsed = JSON.parse(data) as JsonObject;
          return { number, queue, schedule, id, data: parsed, attempt, attempts, backoff, keep };
        });
      }),
  };
}
