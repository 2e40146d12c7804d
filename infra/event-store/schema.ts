/**
 * `position` is given by whoever holds the write lock, so positions have no gaps and become visible in order. Every
 * index ends with it, as the row id, so the one by category gives a category in order. The index by id holds the last
 * digits only, which are random in every version of UUID that we use: enough to find a repeated append, and a third of
 * the size. It begins with the stream because appends touch few streams at a time.
 */
export const LAYOUT = 1;

export const DDL = `
  CREATE TABLE categories (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE streams (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    category INTEGER NOT NULL
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
  CREATE INDEX events_by_id ON events (stream, substr(id, -8));
  CREATE INDEX events_by_category ON events (category)`;
