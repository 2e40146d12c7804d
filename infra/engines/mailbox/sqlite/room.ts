import { PARTS } from '../../../../contracts/bound';
import type { MailboxLimits } from '../../../../contracts/ports/mailbox';
import type { Database } from '../../sqlite/database';
import type { PreparedMessage } from '../validation';

export interface Found {
  /** Of the same message that has not expired; null: there is none. */
  readonly duplicate: number | null;
  /** The recipient has reached its limit, or the source its share of it. */
  readonly isFull: boolean;
  /** All together have, or the source its share of that. */
  readonly isFullInAll: boolean;
}

/** @returns a function that says what is stored, and counted, where a message is to be */
export function createLook(db: Database, { messages, bytes, totalBytes }: MailboxLimits) {
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
  return ({ digest, to, size, source, storedBytes }: PreparedMessage, now: number): Found => {
    const [duplicate, isFull, isFullInAll] = find.get([
      digest,
      now,
      to,
      messages,
      size,
      bytes,
      source,
      storedBytes,
      totalBytes,
    ])!;
    return { duplicate, isFull: isFull === 1, isFullInAll: isFullInAll === 1 };
  };
}

/**
 * Of a group of messages nearly all are new, and far from every limit: what is not takes two or three statements for all of them to
 * find. Far is where the whole group has room in the share of one source, were all of it from there and to one recipient.
 * @returns a function that returns the indexes of those messages for which that is not known, to be looked at one by one
 */
export function createFindUnusual(db: Database, { messages, bytes, totalBytes }: MailboxLimits) {
  const duplicates = db.prepare<[index: number]>(
    `SELECT g.key FROM json_each(?) g
      WHERE EXISTS (SELECT 1 FROM message_index WHERE digest = g.value AND expires_at > ?)`,
  );
  const recipients = db.prepare<[index: number]>(
    `SELECT g.key FROM json_each(?) g CROSS JOIN mailboxes m ON m.recipient = g.value
      WHERE ${PARTS} * (m.messages + ?) > ? OR ${PARTS} * (m.bytes + ?) > ?`,
  );
  const sources = db.prepare<[index: number]>(
    `SELECT g.key FROM json_each(?) g CROSS JOIN sources s ON s.source = g.value
      WHERE ${PARTS} * (s.bytes + ?) > ? + s.bytes`,
  );
  const total = db.prepare<[bytes: number]>('SELECT bytes FROM total');

  return (group: readonly PreparedMessage[], now: number): ReadonlySet<number> => {
    const count = group.length;
    const all = new Set(group.keys());
    if (count === 1) return all;
    const size = group.reduce((sum, message) => sum + message.size, 0);
    const storedBytes = group.reduce((sum, message) => sum + message.storedBytes, 0);
    const left = totalBytes - total.get()![0];
    if (PARTS * count > messages || PARTS * size > bytes || PARTS * storedBytes > left) return all;
    const each = (of: 'digest' | 'to' | 'source'): string =>
      JSON.stringify(group.map(message => message[of]));
    const isFarInAll = PARTS * (totalBytes - left + storedBytes) <= totalBytes;
    const found = [
      ...duplicates.all([each('digest'), now]),
      ...recipients.all([each('to'), count, messages, size, bytes]),
      ...(isFarInAll ? [] : sources.all([each('source'), storedBytes, left])),
    ];
    return new Set(found.map(([index]) => index));
  };
}
