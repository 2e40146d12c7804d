export const SCHEMA_VERSION = 1;

/**
 * AUTOINCREMENT remembers the greatest id ever assigned. `mailboxes` counts the messages of each recipient, expired or
 * not. The body is the last column: SQLite reads a row from its start, and a body may be long.
 */
export const SCHEMA = `
  CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    recipient TEXT NOT NULL,
    sender TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    size INTEGER NOT NULL,
    digest TEXT NOT NULL,
    headers TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX messages_by_digest ON messages (digest);
  CREATE INDEX messages_by_recipient ON messages (recipient, id, expires_at);
  CREATE INDEX messages_by_expiry ON messages (expires_at);
  CREATE TABLE mailboxes (
    recipient TEXT PRIMARY KEY,
    messages INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER message_inserted AFTER INSERT ON messages BEGIN
    INSERT INTO mailboxes VALUES (new.recipient, 1, new.size)
      ON CONFLICT DO UPDATE SET messages = messages + 1, bytes = bytes + excluded.bytes;
  END;
  CREATE TRIGGER message_deleted AFTER DELETE ON messages BEGIN
    UPDATE mailboxes SET messages = messages - 1, bytes = bytes - old.size WHERE recipient = old.recipient;
    DELETE FROM mailboxes WHERE recipient = old.recipient AND messages = 0;
  END`;
