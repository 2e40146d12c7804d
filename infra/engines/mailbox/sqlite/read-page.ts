import { crc32 } from 'node:zlib';
import type { Message } from '../../../../contracts/ports/mailbox';
import { textOf } from '../../sqlite/checksum';
import type { Database } from '../../sqlite/database';

/** Between the texts of a message, which contain no U+0000. */
export const SEPARATOR = '\0';

/**
 * The subquery selects ids from the index, so that ids are sorted and not bodies. The texts are one value, as bytes: libsql
 * would abort the process on a text that is not UTF-8.
 */
export const PAGE_SQL = `
  SELECT id, CAST(sender || char(0) || recipient || char(0) || headers || char(0) || body AS BLOB), checksum, expires_at
  FROM messages WHERE id IN (
    SELECT m.id FROM json_each(?1) AS r CROSS JOIN messages AS m
      ON m.recipient = r.value AND m.id > ?2 AND m.expires_at > ?3 ORDER BY m.id LIMIT ?4)
  ORDER BY id`;

type Row = [id: number, texts: Buffer, checksum: number, expiresAt: number];

/** Reads a page of messages to any of the recipients, without damaged ones. */
export function createPageReader(db: Database) {
  const page = db.prepare<Row>(PAGE_SQL);
  return (recipients: readonly string[], after: number, limit: number, now: number): readonly Message[] =>
    page
      .all([JSON.stringify(recipients), after, now, limit])
      .filter(([, texts, checksum]) => crc32(texts) === checksum)
      .map(([id, texts, , expiresAt]) => {
        const [from, to, headers, body] = textOf(texts).split(SEPARATOR) as [string, string, string, string];
        return { id, from, to, body, headers: JSON.parse(headers) as Record<string, string>, expiresAt };
      });
}
