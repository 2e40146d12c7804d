import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '../../../../contracts/ports/mailbox';
import type { Database } from '../../sqlite/database';
import type { Subscriptions } from '../subscriptions';
import { createMessageReader } from './read-page';

const PAGE = 1_000;
const RETRY_MS = 100;

/** Offers each message to the subscribers of this process, in the order of their ids, whichever process has committed it. */
export function createNotifications(
  db: Database,
  lastId: () => number,
  subscriptions: Pick<Subscriptions, 'has' | 'offer' | 'readAgain'>,
) {
  const newMessages = db.prepare<[id: number, recipient: Buffer]>(
    `SELECT id, CAST(recipient AS BLOB) FROM messages WHERE id > ? ORDER BY id LIMIT ${PAGE}`,
  );
  const readMessage = createMessageReader(db);
  let subscribers = 0;
  let stop = new AbortController();
  /** All messages up to this one have been offered; undefined while there are no subscribers. */
  let seen: number | undefined;

  const offerStored = (id: number, recipient: string): void => {
    const message = subscriptions.has(recipient) ? readMessage(id) : null;
    seen = id;
    if (message) subscriptions.offer(message);
  };
  const readNew = (): void => {
    while (seen !== undefined) {
      const rows = newMessages.all([seen]);
      // A subscriber may end, and with it the last one.
      for (const [id, recipient] of rows) if (seen !== undefined) offerStored(id, recipient.toString());
      if (rows.length < PAGE) return;
    }
  };
  const readOrFail = (): void => {
    try {
      readNew();
    } catch {
      // The subscribers read, and meet the error themselves.
      subscriptions.readAgain();
    }
  };
  /** Reads what other processes commit. */
  const watch = async ({ signal }: AbortController): Promise<void> => {
    for (let mayHaveMissed = false; !signal.aborted;)
      try {
        seen ??= lastId();
        if (mayHaveMissed) subscriptions.readAgain();
        mayHaveMissed = false;
        const mark = db.commits.mark();
        readNew();
        await db.commits.after(mark, { signal, byOthers: true });
      } catch {
        mayHaveMissed = true;
        await sleep(RETRY_MS);
      }
  };

  return {
    /**
     * Offers what this process has committed, without reading it unless another process has committed something before.
     * @param last the greatest id before
     */
    committed(messages: readonly Message[], last: number): void {
      if (last !== seen) return readOrFail();
      for (const message of messages) {
        if (seen === undefined) return;
        seen = message.id;
        subscriptions.offer(message);
      }
    },
    /** Every commit after it returns is offered to its recipient. */
    addSubscriber(): void {
      subscribers += 1;
      if (subscribers === 1) void watch((stop = new AbortController()));
    },
    removeSubscriber(): void {
      subscribers -= 1;
      if (subscribers > 0) return;
      stop.abort();
      seen = undefined;
    },
  };
}
