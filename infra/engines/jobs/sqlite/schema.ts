/**
 * `at` is, by state: when a waiting job is due, when the lease of a running one ends, when the id of a completed one is
 * free again, when a failed one failed. Numbers are never reused: they distinguish a job from a later one with the same
 * id.
 */
export const SCHEMA = `
  CREATE TABLE jobs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    queue TEXT NOT NULL,
    schedule TEXT NOT NULL,
    id TEXT NOT NULL,
    data TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'completed', 'failed')),
    at INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    backoff_ms INTEGER NOT NULL,
    keep_id_ms INTEGER NOT NULL,
    worker TEXT,
    error TEXT,
    UNIQUE (queue, schedule, id)
  );
  CREATE INDEX jobs_by_time ON jobs (queue, state, at);
  CREATE TABLE schedules (
    queue TEXT NOT NULL,
    id TEXT NOT NULL,
    every_ms INTEGER NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (queue, id)
  ) WITHOUT ROWID`;
