export const SCHEMA_VERSION = 3;

/** What messages are found by to be deleted: the keys of accounts differ at their end, and whole ones would take five times the room. */
export const KEY_END_SQL = 'substr(key, -8)';

const DELETABLE_BY_KEY = `CREATE INDEX messages_deletable_by_key ON messages (partition, ${KEY_END_SQL}, offset) WHERE compaction_key IS NULL`;

/** What the messages of compacted topics are that go after some time: those without a value. */
export const TOMBSTONE_SQL = 'compaction_key IS NOT NULL AND length(value) = 0';

const TOMBSTONES = `CREATE INDEX messages_tombstones ON messages (timestamp) WHERE ${TOMBSTONE_SQL}`;

export const UPGRADES = { 1: DELETABLE_BY_KEY, 2: TOMBSTONES };

/**
 * A row of `assignments` is the exclusive claim of a member to a partition, valid as long as the member has a row in
 * `members`. `generation` grows whenever the partitions of a group may have to be rebalanced. AUTOINCREMENT, because the
 * id of an expired member must never be used again. `compaction_key` is the key in compacted topics, otherwise null.
 * `checksum` covers all that is read of a message (`checksum.ts`), so that a damaged one is never taken for another.
 * Messages of topics that are not compacted are found by the end of their `key` to be deleted.
 */
export const SCHEMA = `
  CREATE TABLE topics (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    cleanup TEXT NOT NULL CHECK (cleanup IN ('delete', 'compact'))
  ) STRICT;
  CREATE TABLE partitions (
    id INTEGER PRIMARY KEY,
    topic INTEGER NOT NULL,
    number INTEGER NOT NULL,
    end_offset INTEGER NOT NULL DEFAULT 0,
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
    compaction_key TEXT,
    checksum INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX messages_by_partition ON messages (partition, offset);
  CREATE INDEX messages_by_key ON messages (partition, compaction_key, offset) WHERE compaction_key IS NOT NULL;
  ${DELETABLE_BY_KEY};
  ${TOMBSTONES};
  CREATE TABLE groups (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    generation INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE committed_offsets (
    member_group INTEGER NOT NULL,
    partition INTEGER NOT NULL,
    next_offset INTEGER NOT NULL,
    PRIMARY KEY (member_group, partition)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE members (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    member_group INTEGER NOT NULL,
    topics TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX members_by_group ON members (member_group);
  CREATE TABLE assignments (
    member_group INTEGER NOT NULL,
    partition INTEGER NOT NULL,
    member INTEGER NOT NULL,
    PRIMARY KEY (member_group, partition)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX assignments_by_member ON assignments (member)`;

export const END_OFFSETS_SQL = 'SELECT id, end_offset FROM partitions';
export const GENERATIONS_SQL = 'SELECT id, generation FROM groups';
