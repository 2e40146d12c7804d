import { crc32 } from 'node:zlib';
import { PARTS } from '../../../../contracts/bound';
import {
  MailboxFull,
  type MailboxLimits,
  type Message,
  type Posted,
} from '../../../../contracts/ports/mailbox';
import type { Database } from '../../sqlite/database';
import { SEPARATOR } from './read-page';
import { REMOVE_EXPIRED } from './sweep';
import { IDS_PER_MS, type PreparedMessage } from '../validation';

/** To be called inside a transaction, with an up-to-date index. @param last the greatest id ever assigned */
export type Insert = (message: PreparedMessage, now: number, last: number) => Posted | MailboxFull;

const MAILBOX = '(SELECT id FROM mailboxes WHERE recipient = ?)';

export function createInsert(db: Database, limits: MailboxLimits): Insert {
  /** One statement, since each takes as long as what it does. */
  const find = db.prepare<[duplicate: number | null, isFull: 0 | 1, isFullInAll: 0 | 1]>(
    `SELECT (SELECT id FROM message_index WHERE digest = ?1 AND expires_at > ?2),
      EXISTS (SELECT 1 FROM mailboxes m WHERE recipient = ?3 AND (messages >= ?4 OR bytes + ?5 > ?6)) OR
      (?7 <> '' AND EXISTS (
        SELECT 1 FROM mailboxes m JOIN shares s ON s.mailbox = m.id WHERE m.recipient = ?3 AND s.source = ?7 AND (
          ${PARTS} * (s.messages + 1) > ?4 - m.messages + s.messages OR
          ${PARTS} * (s.bytes + ?5) > ?6 - m.bytes + s.bytes))),
      EXISTS (SELECT 1 FROM total t WHERE t.bytes + ?8 > ?9) OR
      (?7 <> '' AND EXISTS (
        SELECT 1 FROM sources s, total t WHERE s.source = ?7 AND ${PARTS} * (s.bytes + ?8) > ?9 - t.bytes + s.bytes))`,
  );
  const removeExpired = db.prepare(
    `DELETE FROM message_index WHERE mailbox = ${MAILBOX} AND expires_at <= ?`,
  );
  const firstExpiry = db.prepare<[number]>(
    `SELECT min(expires_at) FROM message_index WHERE mailbox = ${MAILBOX}`,
  );
  const removeAnyExpired = db.prepare(REMOVE_EXPIRED);
  const firstExpiryOfAll = db.prepare<[number]>('SELECT min(expires_at) FROM message_index');
  const insert = db.prepare(
    `INSERT INTO messages (id, recipient, sender, expires_at, size, digest, headers, checksum, source, body)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );

  return ({ from, to, body, headers, source, ttlMs, size, storedBytes, digest }, now, last) => {
    const { messages, bytes, totalBytes } = limits;
    const look = () => find.get([digest, now, to, messages, size, bytes, source, storedBytes, totalBytes])!;
    const [duplicate, isFull, isFullInAll] = look();
    if (duplicate !== null) return { id: duplicate, isNew: false };
    if (isFull && (removeExpired.run([to, now]), look()[1]))
      return new MailboxFull(to, firstExpiry.get([to])![0]);
    if (isFullInAll && (removeAnyExpired.run([now]), look()[2]))
      return new MailboxFull(to, firstExpiryOfAll.get()![0]);
    const id = Math.max(last + 1, Math.floor(now) * IDS_PER_MS);
    const json = JSON.stringify(headers);
    const checksum = crc32([from, to, json, body].join(SEPARATOR));
    insert.run([id, to, from, expiryOf(ttlMs, now), size, digest, json, checksum, source, body]);
    return { id, isNew: true };
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
