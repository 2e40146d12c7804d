import { crc32 } from 'node:zlib';
import type { Message } from '../../../../contracts/ports/mailbox';
import type { Page } from '../pages';
import { textOf } from '../../sqlite/checksum';
import type { Database } from '../../sqlite/database';
import { MAX_PAGE_BYTES } from '../validation';
import { readJson } from '../../../../contracts/json/read-json';

/** Between the texts of a message, which contain no U+0000. */
export const SEPARATOR = '\0';

/** The texts are one value, as bytes: libsql would abort the process on a text that is not UTF-8. */
const COLUMNS =
  'id, CAST(sender || char(0) || recipient || char(0) || headers || char(0) || body AS BLOB), checksum, expires_at';

/** From the index, so that ids are sorted and not bodies. */
export const IDS_SQL = `
  SELECT m.id, m.size FROM json_each(?1) AS r CROSS JOIN mailboxes AS b ON b.recipient = r.value CROSS JOIN message_index AS m
    ON m.mailbox = b.id AND m.id > ?2 AND m.expires_at > ?3 ORDER BY m.id LIMIT ?4`;

const PAGE_SQL = `SELECT ${COLUMNS} FROM messages WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`;

type Row = [id: number, texts: Buffer, checksum: number, expiresAt: number];

/** Reads pages of messages to any of the recipients, without damaged ones. */
export function createPageReader(db: Database) {
  const idsOf = db.prepare<[id: number, size: number]>(IDS_SQL);
  const page = db.prepare<Row>(PAGE_SQL);
  return (recipients: readonly string[], after: number, limit: number, now: number): Page => {
    const found = idsOf.all([JSON.stringify(recipients), after, now, limit]);
    if (found.length === 0) return { messages: [], next: null };
    const ids = firstOf(found);
    const rows = page.all([JSON.stringify(ids)]);
    return {
      messages: rows.flatMap(row => messageOf(row) ?? []),
      next: ids.length < found.length || found.length === limit ? ids.at(-1)! : null,
    };
  };
}

/** Those before which there are less than `MAX_PAGE_BYTES`. */
function firstOf(found: readonly [id: number, size: number][]): number[] {
  const ids: number[] = [];
  let bytes = 0;
  for (const [id, size] of found) {
    if (bytes >= MAX_PAGE_BYTES) break;
    ids.push(id);
    bytes += Math.max(0, size);
  }
  return ids;
}

/** Reads one message; null when it is damaged or has been deleted. */
export function createMessageReader(db: Database) {
  const one = db.prepare<Row>(`SELECT ${COLUMNS} FROM messages WHERE id = ?`);
  return (id: number): Message | null => {
    const row = one.get([id]);
    return row ? messageOf(row) : null;
  };
}

function messageOf([id, texts, checksum, expiresAt]: Row): Message | null {
  if (crc32(texts) !== checksum) return null;
  const [from, to, headers, body] = textOf(texts).split(SEPARATOR) as [string, string, string, string];
  return { id, from, to, body, headers: readJson(headers) as Record<string, string>, expiresAt };
}
