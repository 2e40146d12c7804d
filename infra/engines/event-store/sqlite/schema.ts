export const SCHEMA_VERSION = 1;

/**
 * `position` is assigned under the write lock, so positions have no gaps and become visible in order. Every index ends
 * with it, as the row id, so that the one by category returns a category in order.
 *
 * `checksum` covers all that is read of an event (`event-rows.ts`), so that a damaged one is never taken for another.
 *
 * `event_ids` finds a repeated append by the last digits of its id, which are random in every version of UUID in use.
 * Only appends that expect no revision are searched for that way, so a stream is added to it with the first of them:
 * `indexed_ids` counts the events of the stream that it holds. Other appends are spared the write to another index page.
 */
export const SCHEMA = `
  CREATE TABLE categories (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE streams (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    category INTEGER NOT NULL,
    indexed_ids INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    stream INTEGER NOT NULL,
    category INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    metadata TEXT NOT NULL,
    created INTEGER NOT NULL,
    checksum INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX events_by_stream ON events (stream, revision);
  CREATE INDEX events_by_category ON events (category);
  CREATE TABLE event_ids (
    stream INTEGER NOT NULL,
    id_suffix TEXT NOT NULL,
    revision INTEGER NOT NULL,
    PRIMARY KEY (stream, id_suffix, revision)
  ) STRICT, WITHOUT ROWID`;
