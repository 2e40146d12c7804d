import type { Database } from '../../sqlite/database';
import { MESSAGE_OVERHEAD_BYTES } from '../../../../contracts/ports/mailbox';
import { LAST_ID } from './schema';

/**
 * Of the tables in memory, in KiB; the rest is in a file without a name (https://www.sqlite.org/tempfiles.html). Each commit
 * counts the changed pages, of which a larger cache holds more.
 */
const CACHE_SIZE = 2_048;

const INDEXED = '(SELECT coalesce(max(id), 0) FROM message_index)';

const ADD_NEW = `
  INSERT INTO mailboxes (recipient, messages, bytes) VALUES (new.recipient, 1, new.size)
    ON CONFLICT DO UPDATE SET messages = messages + 1, bytes = bytes + excluded.bytes;
  INSERT INTO message_index
    SELECT new.id, id, new.expires_at, new.size, new.digest, new.source FROM mailboxes
      WHERE recipient = new.recipient;
  INSERT INTO shares
    SELECT id, new.source, 1, new.size FROM mailboxes WHERE recipient = new.recipient
    ON CONFLICT DO UPDATE SET messages = messages + 1, bytes = bytes + excluded.bytes;
  UPDATE total SET bytes = bytes + new.size + ${MESSAGE_OVERHEAD_BYTES};
  INSERT INTO sources VALUES (new.source, new.size + ${MESSAGE_OVERHEAD_BYTES})
    ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;`;

/** One statement, so that no connection adds or deletes messages meanwhile. */
const ADD_OTHERS = `INSERT INTO added_messages SELECT * FROM added_messages WHERE id > ${INDEXED}`;

/**
 * Temporary tables belong to one connection and end with it, and SQLite never syncs them: an index in the file would add two
 * random pages to each commit of a message. Mailboxes have a number, since what is changed of an index of numbers is on few
 * pages. Numbers of the file are cast, since a damaged record may call them text.
 */
const TABLES = `
  PRAGMA temp_store=FILE;
  PRAGMA temp.journal_mode=MEMORY;
  PRAGMA temp.cache_size=-${CACHE_SIZE};
  CREATE TEMP TABLE message_index (
    id INTEGER PRIMARY KEY,
    mailbox INTEGER,
    expires_at INTEGER,
    size INTEGER,
    digest TEXT,
    source TEXT
  );
  CREATE TEMP TABLE mailboxes (
    id INTEGER PRIMARY KEY,
    recipient TEXT UNIQUE,
    messages INTEGER,
    bytes INTEGER
  );
  CREATE TEMP TABLE shares (
    mailbox INTEGER,
    source TEXT,
    messages INTEGER,
    bytes INTEGER,
    PRIMARY KEY (mailbox, source)
  ) WITHOUT ROWID;
  CREATE TEMP TABLE total (bytes INTEGER);
  INSERT INTO total VALUES (0);
  CREATE TEMP TABLE sources (source TEXT PRIMARY KEY, bytes INTEGER) WITHOUT ROWID;
  CREATE TEMP VIEW added_messages AS
    SELECT id, recipient, CAST(expires_at AS INTEGER) AS expires_at, CAST(size AS INTEGER) AS size, digest, source
      FROM messages;
  CREATE TEMP TRIGGER message_added INSTEAD OF INSERT ON added_messages BEGIN ${ADD_NEW} END;
  CREATE TEMP TRIGGER message_inserted AFTER INSERT ON messages BEGIN ${ADD_NEW} END;
  CREATE TEMP TRIGGER message_removed AFTER DELETE ON message_index BEGIN
    DELETE FROM messages WHERE id = old.id;
    UPDATE mailboxes SET messages = messages - 1, bytes = bytes - old.size WHERE id = old.mailbox;
    DELETE FROM mailboxes WHERE id = old.mailbox AND messages = 0;
    UPDATE shares SET messages = messages - 1, bytes = bytes - old.size
      WHERE mailbox = old.mailbox AND source = old.source;
    DELETE FROM shares WHERE mailbox = old.mailbox AND source = old.source AND messages = 0;
    UPDATE total SET bytes = bytes - old.size - ${MESSAGE_OVERHEAD_BYTES};
    UPDATE sources SET bytes = bytes - old.size - ${MESSAGE_OVERHEAD_BYTES} WHERE source = old.source;
    DELETE FROM sources WHERE source = old.source AND bytes <= 0;
  END;
  ${ADD_OTHERS};
  CREATE INDEX temp.messages_by_mailbox ON message_index (mailbox, id, expires_at, size);
  CREATE INDEX temp.messages_by_digest ON message_index (digest);
  CREATE INDEX temp.messages_by_expiry ON message_index (expires_at)`;

/**
 * Creates the tables that find the messages of the file: `message_index` has a row for each, expired or not, `mailboxes`
 * counts them by recipient, `shares` by recipient and source, `sources` by source, and `total` all. What is inserted into
 * `messages` is added, and what is deleted from `message_index` is deleted from both.
 * @returns a function that adds what other connections have committed since, and returns the greatest id ever assigned. Those
 * delete only what has expired.
 */
export function createMessageIndex(db: Database): () => number {
  db.exec(TABLES);
  const ids = db.prepare<[last: number, indexed: number]>(`SELECT ${LAST_ID}, ${INDEXED}`);
  const addOthers = db.prepare(ADD_OTHERS);
  return () => {
    const [last, indexed] = ids.get()!;
    if (last > indexed) addOthers.run();
    return last;
  };
}
