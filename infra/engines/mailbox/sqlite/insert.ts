import type { Database } from '../../sqlite/database';
import { type Limits, MailboxFull, type Posted } from '../../../../contracts/ports/mailbox';
import { IDS_PER_MILLISECOND, type Parcel } from '../rules';

/** Inside a transaction. */
export type Insert = (parcel: Parcel, now: number) => Posted | MailboxFull;

export function inserter(db: Database, limits: Limits): Insert {
  const known = db.prepare<[id: number, expires: number]>(
    'SELECT id, expires FROM messages WHERE digest = ?',
  );
  const remove = db.prepare('DELETE FROM messages WHERE id = ?');
  const waiting = db.prepare<[messages: number, bytes: number]>(
    'SELECT messages, bytes FROM waiting WHERE recipient = ?',
  );
  const removeExpired = db.prepare('DELETE FROM messages WHERE recipient = ? AND expires <= ?');
  const firstExpiry = db.prepare<[number]>('SELECT min(expires) FROM messages WHERE recipient = ?');
  const lastId = db.prepare<[number]>("SELECT seq FROM sqlite_sequence WHERE name = 'messages'");
  const insert = db.prepare(
    `INSERT INTO messages (id, recipient, sender, expires, size, digest, headers, body)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const isFull = (to: string, size: number): boolean => {
    const [messages, bytes] = waiting.get([to]) ?? [0, 0];
    return messages >= limits.messages || bytes + size > limits.bytes;
  };

  return ({ from, to, body, headers, ttl, size, digest }, now) => {
    const [same, until] = known.get([digest]) ?? [];
    if (same !== undefined && until! > now) return { id: same, fresh: false };
    if (same !== undefined) remove.run([same]);
    if (isFull(to, size) && (removeExpired.run([to, now]), isFull(to, size)))
      return new MailboxFull(to, firstExpiry.get([to])![0]);
    const id = Math.max((lastId.get()?.[0] ?? 0) + 1, Math.floor(now) * IDS_PER_MILLISECOND);
    insert.run([id, to, from, Math.floor(now) + ttl, size, digest, JSON.stringify(headers), body]);
    return { id, fresh: true };
  };
}
