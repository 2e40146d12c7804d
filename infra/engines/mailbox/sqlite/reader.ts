import type { Database } from '../../sqlite/database';
import type { Message } from '../../../../contracts/ports/mailbox';

/** Chosen first and fetched then, so that what is sorted are ids and not bodies. */
export const PAGE_SQL = `
  SELECT id, sender, recipient, body, headers, expires FROM messages WHERE id IN (
    SELECT m.id FROM json_each(?1) AS r CROSS JOIN messages AS m
      ON m.recipient = r.value AND m.id > ?2 AND m.expires > ?3 ORDER BY m.id LIMIT ?4)
  ORDER BY id`;

type Row = [id: number, from: string, to: string, body: string, headers: string, expires: number];

export function createReader(db: Database) {
  const page = db.prepare<Row>(PAGE_SQL);
  return (to: readonly string[], after: number, limit: number, now: number): readonly Message[] =>
    page
      .all([JSON.stringify(to), after, now, limit])
      .map(([id, from, recipient, body, headers, expires]) => ({
        id,
        from,
        to: recipient,
        body,
        headers: JSON.parse(headers) as Record<string, string>,
        expires,
      }));
}
