import type { Database } from '../../sqlite/database';
import { LAST_ID } from './schema';

/**
 * Of the tables in memory, in KiB; the rest is in a file without a name (https://www.sqlite.org/tempfiles.html). Each commit
 * counts the changed pages, of which a larger cache holds more.
 */
const CACHE_SIZE = 2_048;

/**
 * Temporary tables belong to one connection and end with it, and SQLite never syncs them: an index in the file would add two
 * random pages to each commit of a message. Numbers of the file are cast, since a damaged record may call them text.
 */
const TABLES = `
  PRAGMA temp_store=FILE;
  PRAGMA temp.journal_mode=MEMORY;
  PRAGMA temp.cache_size=-${CACHE_SIZE};
  CREATE TEMP TABLE message_index (
    id INTEGER PRIMARY KEY,
    recipient TEXT,
    expires_at INTEGER,
    size INTEGER,
    digest TEXT
  );
  CREATE TEMP TABLE mailboxes (
    recipient TEXT PRIMARY KEY,
    messages INTEGER,
    bytes INTEGER
  ) WITHOUT ROWID;
  INSERT INTO message_index
    SELECT id, recipient, CAST(expires_at AS INTEGER), CAST(size AS INTEGER), digest FROM messages;
  INSERT INTO mailboxes SELECT recipient, count(*), sum(size) FROM message_index GROUP BY recipient;
  CREATE INDEX temp.messages_by_recipient ON message_index (recipient, id, expires_at);
  CREATE INDEX temp.messages_by_digest ON message_index (digest);
  CREATE INDEX temp.messages_by_expiry ON message_index (expires_at);
  CREATE TEMP TRIGGER message_inserted AFTER INSERT ON messages BEGIN
    INSERT INTO message_index VALUES (new.id, new.recipient, new.expires_at, new.size, new.digest);
  END;
  CREATE TEMP TRIGGER message_indexed AFTER INSERT ON message_index BEGIN
    INSERT INTO mailboxes VALUES (new.recipient, 1, new.size)
      ON CONFLICT DO UPDATE SET messages = messages + 1, bytes = bytes + excluded.bytes;
  END;
  CREATE TEMP TRIGGER message_removed AFTER DELETE ON message_index BEGIN
    DELETE FROM messages WHERE id = old.id;
    UPDATE mailboxes SET messages = messages - 1, bytes = bytes - old.size WHERE recipient = old.recipient;
    DELETE FROM mailboxes WHERE recipient = old.recipient AND messages = 0;
  END`;

const INDEXED = '(SELECT coalesce(max(id), 0) FROM message_index)';

/**
 * Creates the tables that find the messages of the file: `message_index` has a row for each, expired or not, and `mailboxes`
 * counts them by recipient. What is inserted into `messages` is added, and what is deleted from `message_index` is deleted from
 * both.
 * @returns a function that adds what other connections have committed since, and returns the greatest id ever assigned. Those
 * delete only what has expired.
 */
export function createMessageIndex(db: Database): () => number {
  db.exec(TABLES);
  const ids = db.prepare<[last: number, indexed: number]>(`SELECT ${LAST_ID}, ${INDEXED}`);
  const add = db.prepare(
    `INSERT INTO message_index SELECT id, recipient, CAST(expires_at AS INTEGER), CAST(size AS INTEGER), digest
      FROM messages WHERE id > ${INDEXED}`,
  );
  return () => {
    const [last, indexed] = ids.get()!;
    if (last > indexed) add.run();
    return last;
  };
}
