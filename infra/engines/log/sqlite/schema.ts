export const LAYOUT = 1;

/**
 * `claims` says who holds a partition, `members` who is alive: a claim is good as long as its member is there.
 * `generation` grows whenever the partitions of a group may have to be shared out anew. AUTOINCREMENT, because the id
 * of a member that was given up must never come back. `compacted` is the key in topics that keep the last of each.
 */
export const DDL = `
  CREATE TABLE topics (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    cleanup TEXT NOT NULL CHECK (cleanup IN ('delete', 'compact'))
  ) STRICT;
  CREATE TABLE partitions (
    id INTEGER PRIMARY KEY,
    topic INTEGER NOT NULL,
    number INTEGER NOT NULL,
    next INTEGER NOT NULL DEFAULT 0,
    UNIQUE (topic, number)
  ) STRICT;
  CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    partition INTEGER NOT NULL,
    offset INTEGER NOT NULL,
    key TEXT NOT NULL,
    value BLOB NOT NULL,
    headers TEXT NOT NULL,
    timestamp INTEGER NOT NULL,
    compacted TEXT
  ) STRICT;
  CREATE UNIQUE INDEX messages_by_partition ON messages (partition, offset);
  CREATE INDEX messages_by_key ON messages (partition, compacted, offset) WHERE compacted IS NOT NULL;
  CREATE TABLE groups (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    generation INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE offsets (
    member_group INTEGER NOT NULL,
    partition INTEGER NOT NULL,
    next INTEGER NOT NULL,
    PRIMARY KEY (member_group, partition)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE members (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    member_group INTEGER NOT NULL,
    topics TEXT NOT NULL,
    expires INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX members_by_group ON members (member_group);
  CREATE TABLE claims (
    member_group INTEGER NOT NULL,
    partition INTEGER NOT NULL,
    member INTEGER NOT NULL,
    PRIMARY KEY (member_group, partition)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX claims_by_member ON claims (member)`;

export const ENDS_SQL = 'SELECT id, next FROM partitions';
export const GENERATIONS_SQL = 'SELECT id, generation FROM groups';
