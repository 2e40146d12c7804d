import type { Database } from '../../sqlite/database';
import type { Schedule } from '../../../../contracts/ports/jobs';
import { nextSlot, slotAttempts, slotId } from '../rules';

const BACKOFF = 1_000;

/** A schedule is one waiting job, of its next slot. When that is taken, the one after it is put in its place. */
export interface Schedules {
  declare(schedule: Schedule, now: number): void;
  remove(queue: string, id: string): void;
  /** Inside a transaction. */
  advance(queue: string, id: string, now: number): void;
  /** Of the slots that failed, only the last is kept. Inside a transaction. */
  forgetFailures(queue: string, id: string, before: number): void;
}

export function openSchedules(db: Database): Schedules {
  const find = db.prepare<[number, string]>('SELECT every, data FROM schedules WHERE queue = ? AND id = ?');
  const upsert = db.prepare('INSERT OR REPLACE INTO schedules VALUES (?, ?, ?, ?)');
  const remove = db.prepare('DELETE FROM schedules WHERE queue = ? AND id = ?');
  const forget = db.prepare(
    `DELETE FROM jobs WHERE queue = ? AND schedule = ? AND state = 'failed' AND number < ?`,
  );
  const isNext = `queue = ?1 AND schedule = ?2 AND state = 'waiting' AND attempt = 0`;
  const removeNext = db.prepare(`DELETE FROM jobs WHERE ${isNext}`);
  const change = db.prepare(`UPDATE jobs SET data = ?3 WHERE ${isNext}`);
  const insertNext = db.prepare(
    `INSERT INTO jobs (queue, schedule, id, data, state, at, attempt, attempts, backoff, keep)
      SELECT ?1, ?2, ?3, ?4, 'waiting', ?5, 0, ?6, ?7, 0
      WHERE NOT EXISTS (SELECT 1 FROM jobs WHERE ${isNext})
      ON CONFLICT DO NOTHING`,
  );

  const advance = (queue: string, id: string, now: number): void => {
    const schedule = find.get([queue, id]);
    if (!schedule) return;
    const [every, data] = schedule;
    const slot = nextSlot(every, now);
    insertNext.run([queue, id, slotId(id, slot), data, slot, slotAttempts(every, BACKOFF), BACKOFF]);
  };
  return {
    advance,
    forgetFailures: (queue, id, before) => void forget.run([queue, id, before]),
    declare: ({ queue, id, every, data }, now) =>
      db.transaction(() => {
        const text = JSON.stringify(data);
        const before = find.get([queue, id]);
        upsert.run([queue, id, every, text]);
        if (before && before[0] !== every) removeNext.run([queue, id]);
        else change.run([queue, id, text]);
        advance(queue, id, now);
      }),
    remove: (queue, id) =>
      db.transaction(() => {
        remove.run([queue, id]);
        removeNext.run([queue, id]);
      }),
  };
}
