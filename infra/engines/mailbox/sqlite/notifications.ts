import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../sqlite/database';
import type { Notifier } from '../notifier';

const PAGE = 1_000;
const RETRY_MS = 100;

/** Notifies subscribers of messages committed by any process: one loop reads the new rows for all of them. */
export function createNotifications(db: Database, notifier: Notifier) {
  const lastId = db.prepare<[number]>("SELECT seq FROM sqlite_sequence WHERE name = 'messages'");
  const newMessages = db.prepare<[id: number, recipient: Buffer]>(
    `SELECT id, CAST(recipient AS BLOB) FROM messages WHERE id > ? ORDER BY id LIMIT ${PAGE}`,
  );
  let subscribers = 0;
  let stop = new AbortController();

  const watch = async ({ signal }: AbortController): Promise<void> => {
    for (let seen: number | undefined; !signal.aborted;)
      try {
        seen ??= lastId.get()?.[0] ?? 0;
        const mark = db.commits.mark();
        const rows = newMessages.all([seen]);
        for (const [, recipient] of rows) notifier.notify(recipient.toString());
        seen = rows.at(-1)?.[0] ?? seen;
        if (rows.length < PAGE) await db.commits.after(mark, { signal });
      } catch {
        // The subscribers read, and report the error themselves.
        notifier.notifyAll();
        seen ??= 0;
        await sleep(RETRY_MS);
      }
  };

  return {
    /** Every commit after it returns notifies its recipients. */
    addSubscriber: (): void => {
      subscribers += 1;
      if (subscribers === 1) void watch((stop = new AbortController()));
    },
    removeSubscriber: (): void => {
      subscribers -= 1;
      if (subscribers === 0) stop.abort();
    },
  };
}
