import type { Database } from '../../sqlite/database';
import { MESSAGE_OVERHEAD_BYTES } from '../../../../contracts/ports/mailbox';
import { LAST_ID } from './schema';

/**
 * Of the tables in memory, in KiB; the rest is in a file without a name (https://www.sqlite.org/tempfiles.html). Each commit
 * counts the changed pages, of which a larger cache holds more.
 */
const CACHE_SIZE = 2_048;

const INDEXED = '(SELECT coalesce(max(id), 0) FROM message_index)';

/** A few statements for all of them: one that is run for each message takes as long as what it does. */
const ADD_ALL = `
  INSERT INTO mailboxes (recipient, messages, bytes)
    SELECT recipient, 1, size FROM stored_messages WHERE id > new.after
    ON CONFLICT DO UPDATE SET messages = messages + 1, bytes = bytes + excluded.bytes;
  INSERT INTO message_index
    SELECT s.id, m.id, s.expires_at, s.size, s.digest, s.source
      FROM stored_messages s CROSS JOIN mailboxes m ON m.recipient = s.recipient WHERE s.id > new.after;
  INSERT INTO shares
    SELECT mailbox, source, 1, size FROM message_index WHERE id > new.after
    ON CONFLICT DO UPDATE SET messages = messages + 1, bytes = bytes + excluded.bytes;
  INSERT INTO sources
    SELECT source, size + ${MESSAGE_OVERHEAD_BYTES} FROM message_index WHERE id > new.after
    ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
  UPDATE total SET bytes = bytes +
    (SELECT coalesce(sum(size + ${MESSAGE_OVERHEAD_BYTES}), 0) FROM message_index WHERE id > new.after);`;

/** One statement, so that no connection adds or deletes messages meanwhile. */
const ADD = 'INSERT INTO additions VALUES';

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
  CREATE TEMP VIEW stored_messages AS
    SELECT id, recipient, CAST(expires_at AS INTEGER) AS expires_at, CAST(size AS INTEGER) AS size, digest, source
      FROM messages;
  CREATE TEMP VIEW additions AS SELECT 0 AS after;
  CREATE TEMP TRIGGER messages_added INSTEAD OF INSERT ON additions BEGIN ${ADD_ALL} END;
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
  ${ADD} (0);
  CREATE INDEX temp.messages_by_mailbox ON message_index (mailbox, id, expires_at, size);
  CREATE INDEX temp.messages_by_digest ON message_index (digest);
  CREATE INDEX temp.messages_by_expiry ON message_index (expires_at)`;

export interface MessageIndex {
  /**
   * Adds what other connections have committed since, which delete only what has expired.
   * @returns the greatest id ever assigned
   */
  update(): number;
  /** Adds what this connection has inserted with greater ids than this one. */
  add(after: number): void;
}

/**
 * Creates the tables that find the messages of the file: `message_index` has a row for each, expired or not, `mailboxes`
 * counts them by recipient, `shares` by recipient and source, `sources` by source, and `total` all. What is deleted from
 * `message_index` is deleted from the file, too.
 */
export function createMessageIndex(db: Database): MessageIndex {
  db.exec(TABLES);
  const ids = db.prepare<[last: number, indexed: number]>(`SELECT ${LAST_ID}, ${INDEXED}`);
  const addAfter = db.prepare(`${ADD} (?)`);
  return {
    update: () => {
      const [last, indexed] = ids.get()!;
      if (last > indexed) addAfter.run([indexed]);
      return last;
    },
    add: after => void addAfter.run([after]),
  };
}
