import type { Message } from '../../../../contracts/ports/mailbox';
import type { Database } from '../../sqlite/database';

/** The subquery selects ids from the index, so that ids are sorted and not bodies. */
export const PAGE_SQL = `
  SELECT id, sender, recipient, body, headers, expires_at FROM messages WHERE id IN (
    SELECT m.id FROM json_each(?1) AS r CROSS JOIN messages AS m
      ON m.recipient = r.value AND m.id > ?2 AND m.expires_at > ?3 ORDER BY m.id LIMIT ?4)
  ORDER BY id`;

type Row = [id: number, from: string, to: string, body: string, headers: string, expiresAt: number];

/** Reads a page of messages to any of the recipients. */
export function createPageReader(db: Database) {
  const page = db.prepare<Row>(PAGE_SQL);
  return (recipients: readonly string[], after: number, limit: number, now: number): readonly Message[] =>
    page
      .all([JSON.stringify(recipients), after, now, limit])
      .map(([id, from, to, body, headers, expiresAt]) => ({
        id,
        from,
        to,
        body,
        headers: JSON.parse(headers) as Record<string, string>,
        expiresAt,
      }));
}
