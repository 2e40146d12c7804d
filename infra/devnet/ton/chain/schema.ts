/** An account's state at a block is its newest row at or before that block. A block without cells has no row in `block_cells`. */
export const SCHEMA = `
  CREATE TABLE IF NOT EXISTS settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS blocks (
    seqno INTEGER PRIMARY KEY,
    utime INTEGER NOT NULL,
    end_lt INTEGER NOT NULL,
    root_hash BLOB NOT NULL,
    shards TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS block_cells (
    seqno INTEGER PRIMARY KEY,
    file_hash BLOB NOT NULL,
    state_hash BLOB NOT NULL,
    branch INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS blocks_by_utime ON blocks (utime);
  CREATE TABLE IF NOT EXISTS transactions (
    id INTEGER PRIMARY KEY,
    account TEXT NOT NULL,
    lt INTEGER NOT NULL,
    previous_lt INTEGER NOT NULL,
    hash BLOB NOT NULL,
    seqno INTEGER NOT NULL,
    boc BLOB NOT NULL,
    UNIQUE (account, lt)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS transactions_by_block ON transactions (seqno, lt);
  CREATE TABLE IF NOT EXISTS accounts (
    id INTEGER PRIMARY KEY,
    address TEXT NOT NULL,
    seqno INTEGER NOT NULL,
    shard_account BLOB NOT NULL,
    UNIQUE (address, seqno)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS queue (
    position INTEGER PRIMARY KEY,
    destination TEXT NOT NULL,
    message BLOB NOT NULL
  ) STRICT;
  PRAGMA cache_size = -8192;
  PRAGMA wal_autocheckpoint = 2000;
`;
