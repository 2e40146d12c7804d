/**
 * `position` is given by whoever holds the write lock, so positions have no gaps and become visible in order. Every
 * index ends with it, as the row id, so the one by category gives a category in order.
 *
 * `event_ids` finds a repeated append by the last digits of its id, which are random in every version of UUID that we
 * use. Only appends that expect no revision are looked for that way, so a stream gets there when the first of them
 * comes: `identified` says how many of its events are there. All others are spared a page of index to write.
 */
export const LAYOUT = 2;

const EVENT_IDS = `
  CREATE TABLE event_ids (
    stream INTEGER NOT NULL,
    tail TEXT NOT NULL,
    revision INTEGER NOT NULL,
    PRIMARY KEY (stream, tail, revision)
  ) STRICT, WITHOUT ROWID`;

export const DDL = `
  CREATE TABLE categories (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE streams (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    category INTEGER NOT NULL,
    identified INTEGER NOT NULL DEFAULT 0
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
    created INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX events_by_stream ON events (stream, revision);
  CREATE INDEX events_by_category ON events (category);
  ${EVENT_IDS}`;

/** From layout 1, where an index had the ids of all events. */
export const UPGRADES = [
  `DROP INDEX events_by_id; ALTER TABLE streams ADD COLUMN identified INTEGER NOT NULL DEFAULT 0; ${EVENT_IDS}`,
];
