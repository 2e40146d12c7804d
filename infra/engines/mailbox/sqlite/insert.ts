import { crc32 } from 'node:zlib';
import {
  MailboxFull,
  type MailboxLimits,
  type Message,
  type Posted,
} from '../../../../contracts/ports/mailbox';
import type { Database } from '../../sqlite/database';
import type { MessageIndex } from './message-index';
import { SEPARATOR } from './read-page';
import { createFindUnusual, createLook } from './room';
import { REMOVE_EXPIRED } from './sweep';
import { IDS_PER_MS, type PreparedMessage } from '../validation';

type Outcome = Posted | MailboxFull;

/** To be called inside a transaction, with an up-to-date index. @param last the greatest id ever assigned */
export type Insert = (group: readonly PreparedMessage[], now: number, last: number) => Outcome[];

const MAILBOX = '(SELECT id FROM mailboxes WHERE recipient = ?)';

export function createInsert(db: Database, limits: MailboxLimits, index: Pick<MessageIndex, 'add'>): Insert {
  const findUnusual = createFindUnusual(db, limits);
  const refuse = createRefusal(db, limits);
  const insert = db.prepare(
    `INSERT INTO messages (id, recipient, sender, expires_at, size, digest, headers, checksum, source, body)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );

  return (group, now, before) => {
    const unusual = findUnusual(group, now);
    const digests = new Set<string>();
    let last = before;
    let indexed = before;
    const addToIndex = (): void => {
      if (last > indexed) index.add(indexed);
      indexed = last;
    };
    const post = (message: PreparedMessage, n: number): Outcome => {
      if (unusual.has(n) || digests.has(message.digest)) {
        addToIndex();
        const refused = refuse(message, now);
        if (refused) return refused;
      }
      const { from, to, body, headers, source, ttlMs, size, digest } = message;
      const id = Math.max(last + 1, Math.floor(now) * IDS_PER_MS);
      const json = JSON.stringify(headers);
      const checksum = crc32([from, to, json, body].join(SEPARATOR));
      insert.run([id, to, from, expiryOf(ttlMs, now), size, digest, json, checksum, source, body]);
      digests.add(digest);
      last = id;
      return { id, isNew: true };
    };
    const outcomes = group.map(post);
    addToIndex();
    return outcomes;
  };
}

/** @returns a function that returns why a message is not inserted: it is there, or there is no room for it; null: it is inserted */
function createRefusal(db: Database, limits: MailboxLimits) {
  const look = createLook(db, limits);
  const removeExpired = db.prepare(
    `DELETE FROM message_index WHERE mailbox = ${MAILBOX} AND expires_at <= ?`,
  );
  const firstExpiry = db.prepare<[number]>(
    `SELECT min(expires_at) FROM message_index WHERE mailbox = ${MAILBOX}`,
  );
  const removeAnyExpired = db.prepare(REMOVE_EXPIRED);
  const firstExpiryOfAll = db.prepare<[number]>('SELECT min(expires_at) FROM message_index');
  return (message: PreparedMessage, now: number): Outcome | null => {
    const { to } = message;
    const { duplicate, isFull, isFullInAll } = look(message, now);
    if (duplicate !== null) return { id: duplicate, isNew: false };
    if (isFull && (removeExpired.run([to, now]), look(message, now).isFull))
      return new MailboxFull(to, firstExpiry.get([to])![0]);
    if (isFullInAll && (removeAnyExpired.run([now]), look(message, now).isFullInAll))
      return new MailboxFull(to, firstExpiryOfAll.get()![0]);
    return null;
  };
}

const expiryOf = (ttlMs: number, now: number): number => Math.floor(now) + ttlMs;

/** The message as it is read after it was inserted. */
export function storedMessage(
  { from, to, body, headers, ttlMs }: PreparedMessage,
  id: number,
  now: number,
): Message {
  return { id, from, to, body, headers, expiresAt: expiryOf(ttlMs, now) };
}
