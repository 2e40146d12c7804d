export const LAYOUT = 1;

/**
 * AUTOINCREMENT keeps the greatest id there ever was. `waiting` counts what is there for each recipient, expired or
 * not. The body comes last: what is behind a long one would be far away.
 */
export const DDL = `
  CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    recipient TEXT NOT NULL,
    sender TEXT NOT NULL,
    expires INTEGER NOT NULL,
    size INTEGER NOT NULL,
    digest TEXT NOT NULL,
    headers TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX messages_by_digest ON messages (digest);
  CREATE INDEX messages_by_recipient ON messages (recipient, id, expires);
  CREATE INDEX messages_by_expiry ON messages (expires);
  CREATE TABLE waiting (
    recipient TEXT PRIMARY KEY,
    messages INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER message_came AFTER INSERT ON messages BEGIN
    INSERT INTO waiting VALUES (new.recipient, 1, new.size)
      ON CONFLICT DO UPDATE SET messages = messages + 1, bytes = bytes + excluded.bytes;
  END;
  CREATE TRIGGER message_went AFTER DELETE ON messages BEGIN
    UPDATE waiting SET messages = messages - 1, bytes = bytes - old.size WHERE recipient = old.recipient;
    DELETE FROM waiting WHERE recipient = old.recipient AND messages = 0;
  END`;
