import type { Schedule } from '../../../../contracts/ports/jobs';
import { withChecksum } from '../../sqlite/checksum';
import type { Database } from '../../sqlite/database';
import { text } from '../../sqlite/statement';
import { nextSlot, slotAttempts, slotId } from '../timing';

const BACKOFF_MS = 1_000;

/** A schedule has one waiting job, that of its next slot. When it is claimed, the job of the slot after it is inserted. */
export interface Schedules {
  declare(schedule: Schedule, now: number): void;
  remove(queue: string, id: string): void;
  /** To be called inside a transaction. */
  insertNext(queue: string, id: string, now: number): void;
  /** Only the last failed slot of a schedule is kept. To be called inside a transaction. */
  removeFailures(queue: string, id: string, before: number): void;
}

export function openSchedules(db: Database): Schedules {
  const find = db.prepare<[number, string]>(
    `SELECT every_ms, ${text('data')} FROM schedules WHERE queue = ? AND id = ?`,
  );
  const upsert = db.prepare('INSERT OR REPLACE INTO schedules VALUES (?, ?, ?, ?)');
  const remove = db.prepare('DELETE FROM schedules WHERE queue = ? AND id = ?');
  const removeFailures = db.prepare(
    `DELETE FROM jobs WHERE queue = ? AND schedule = ? AND state = 'failed' AND number < ?`,
  );
  const isNext = `queue = ?1 AND schedule = ?2 AND state = 'waiting' AND attempt = 0`;
  const removeNext = db.prepare(`DELETE FROM jobs WHERE ${isNext}`);
  const updateNext = db.prepare(`UPDATE jobs SET data = ?3 WHERE ${isNext}`);
  const insert = db.prepare(
    `INSERT INTO jobs (queue, schedule, id, data, state, at, attempt, attempts, backoff_ms, keep_id_ms)
      SELECT ?1, ?2, ?3, ?4, 'waiting', ?5, 0, ?6, ?7, 0
      WHERE NOT EXISTS (SELECT 1 FROM jobs WHERE ${isNext})
      ON CONFLICT DO NOTHING`,
  );

  const insertNext = (queue: string, id: string, now: number): void => {
    const schedule = find.get([queue, id]);
    if (!schedule) return;
    const [everyMs, data] = schedule;
    const slot = nextSlot(everyMs, now);
    const attempts = slotAttempts(everyMs, BACKOFF_MS);
    insert.run([queue, id, slotId(id, slot), data, slot, attempts, BACKOFF_MS]);
  };
  return {
    insertNext,
    removeFailures: (queue, id, before) => void removeFailures.run([queue, id, before]),
    declare: ({ queue, id, everyMs, data }, now) =>
      db.transaction(() => {
        const json = withChecksum(JSON.stringify(data));
        const before = find.get([queue, id]);
        upsert.run([queue, id, everyMs, json]);
        if (before && before[0] !== everyMs) removeNext.run([queue, id]);
        else updateNext.run([queue, id, json]);
        insertNext(queue, id, now);
      }),
    remove: (queue, id) =>
      db.transaction(() => {
        remove.run([queue, id]);
        removeNext.run([queue, id]);
      }),
  };
}
