import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../sqlite/database';
import type { Bells } from '../bells';

const AT_ONCE = 1_000;
/** Milliseconds. */
const AFTER_ERROR = 100;

/**
 * Rings for what is committed, here or by other processes: one watch for all who listen, who would otherwise look at
 * every commit each.
 */
export function createRinging(db: Database, bells: Bells) {
  const lastId = db.prepare<[number]>("SELECT seq FROM sqlite_sequence WHERE name = 'messages'");
  const since = db.prepare<[id: number, recipient: string]>(
    `SELECT id, recipient FROM messages WHERE id > ? ORDER BY id LIMIT ${AT_ONCE}`,
  );
  let listeners = 0;
  let idle = new AbortController();

  const watch = async ({ signal }: AbortController): Promise<void> => {
    for (let seen: number | undefined; !signal.aborted;)
      try {
        seen ??= lastId.get()?.[0] ?? 0;
        const mark = db.commits.mark();
        const rows = since.all([seen]);
        for (const [, recipient] of rows) bells.ring(recipient);
        seen = rows.at(-1)?.[0] ?? seen;
        if (rows.length < AT_ONCE) await db.commits.after(mark, { signal });
      } catch {
        // Who looks now meets the error where it can be handled.
        bells.ringAll();
        seen ??= 0;
        await pause(AFTER_ERROR);
      }
  };

  return {
    /** From the time it returns on, whatever is committed rings. */
    joined: (): void => {
      listeners += 1;
      if (listeners === 1) void watch((idle = new AbortController()));
    },
    left: (): void => {
      listeners -= 1;
      if (listeners === 0) idle.abort();
    },
  };
}
