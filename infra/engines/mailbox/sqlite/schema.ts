import type { Database } from '../../sqlite/database';

export const SCHEMA_VERSION = 3;

/**
 * Messages are only appended, so that a commit writes few pages: what finds them is in temporary tables, see `message-index.ts`.
 * AUTOINCREMENT remembers the greatest id ever assigned. The body is the last column: SQLite reads a row from its start, and a
 * body may be long.
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
    source TEXT NOT NULL DEFAULT '',
    body TEXT NOT NULL
  ) STRICT`;

export const UPGRADES = { 2: "ALTER TABLE messages ADD COLUMN source TEXT NOT NULL DEFAULT ''" };

/** The greatest id ever assigned, 0 at first. */
export const LAST_ID = "(SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'messages')";

/** @returns a function that reads it */
export function createLastId(db: Database): () => number {
  const lastId = db.prepare<[number]>(`SELECT ${LAST_ID}`);
  return () => lastId.get()![0];
}
