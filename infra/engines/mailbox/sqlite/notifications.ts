import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '../../../../contracts/ports/mailbox';
import type { Database } from '../../sqlite/database';
import type { Subscriptions } from '../subscriptions';
import { createMessageReader } from './read-page';

const PAGE = 1_000;
const RETRY_MS = 100;

/** Offers the messages committed by any process to the subscribers of this one: one loop reads the new rows for all of them. */
export function createNotifications(
  db: Database,
  subscriptions: Pick<Subscriptions, 'has' | 'offer' | 'readAgain'>,
) {
  const lastId = db.prepare<[number]>("SELECT seq FROM sqlite_sequence WHERE name = 'messages'");
  const newMessages = db.prepare<[id: number, recipient: Buffer]>(
    `SELECT id, CAST(recipient AS BLOB) FROM messages WHERE id > ? ORDER BY id LIMIT ${PAGE}`,
  );
  const readMessage = createMessageReader(db);
  /** What this process has committed and the loop has not come to. */
  const own = new Map<number, Message>();
  let subscribers = 0;
  let stop = new AbortController();

  const offer = (id: number, recipient: string): void => {
    if (!subscriptions.has(recipient)) return void own.delete(id);
    const message = own.get(id) ?? readMessage(id);
    own.delete(id);
    if (message) subscriptions.offer(message);
  };
  const watch = async ({ signal }: AbortController): Promise<void> => {
    let seen: number | undefined;
    for (let mayHaveMissed = false; !signal.aborted;)
      try {
        seen ??= lastId.get()?.[0] ?? 0;
        if (mayHaveMissed) subscriptions.readAgain();
        mayHaveMissed = false;
        const mark = db.commits.mark();
        const rows = newMessages.all([seen]);
        for (const [id, recipient] of rows) {
          seen = id;
          offer(id, recipient.toString());
        }
        if (rows.length < PAGE) await db.commits.after(mark, { signal });
      } catch {
        mayHaveMissed = true;
        await sleep(RETRY_MS);
      }
    own.clear();
  };

  return {
    /** A message that this process has committed need not be read again. */
    committed(message: Message): void {
      if (subscriptions.has(message.to)) own.set(message.id, message);
    },
    /** Every commit after it returns is offered to its recipient. */
    addSubscriber(): void {
      subscribers += 1;
      if (subscribers === 1) void watch((stop = new AbortController()));
    },
    removeSubscriber(): void {
      subscribers -= 1;
      if (subscribers === 0) stop.abort();
    },
  };
}
