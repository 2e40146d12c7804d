import { isUtf8 } from 'node:buffer';
import { statSync } from 'node:fs';
import Libsql from 'libsql';
import { DamagedData } from '../../../contracts/engine/damaged-data';
import { EngineUnavailable, type EngineName } from '../../../contracts/engine/engine-unavailable';
import { type CommitNotifier, createCommitNotifier } from './commit-notifier';
import { unavailable, UnusableDatabase } from './errors';
import { castToDeclared, guardStatement, type Statement } from './statement';
import { createWalTrim } from './wal-trim';

export interface DatabaseOptions {
  /** How long to wait for the write lock of another process before SQLITE_BUSY; default 10,000. */
  readonly busyTimeoutMs?: number;
  /** Between two checks for commits of other connections, while anything waits; default 10. */
  readonly pollMs?: number;
  /** Milliseconds from a commit until a WAL that has grown is truncated; default 60,000. */
  readonly trimWalMs?: number;
  /** The engine that owns the file: a full or broken disk, or a file that was moved, then throws EngineUnavailable. */
  readonly engine?: EngineName;
}

/**
 * One synchronous connection to a SQLite file: a statement is done, and a transaction durable, when the call returns.
 * Any number of connections, in any number of processes, may have the same file open.
 */
export interface Database {
  readonly path: string;
  /** Prepared once per SQL text. Parameters are `?`, passed as one array and checked: see `bindValues`. */
  prepare<Row extends readonly unknown[] = never[]>(sql: string): Statement<Row>;
  /** Any number of statements without parameters: for schemas and pragmas. */
  exec(sql: string): void;
  /**
   * Runs the body with the write lock held (BEGIN IMMEDIATE) and commits; rolls back when it throws. The body is
   * synchronous, so no two transactions of one thread ever interleave; they do not nest.
   * @param durable false for what is of no use after the machine has failed: it is not flushed to the disk
   * @throws what the body throws; SQLITE_BUSY (`isBusy`) when the lock was not free in time; EngineUnavailable
   */
  transaction<Result>(body: () => Result, options?: { readonly durable: boolean }): Result;
  /** Notifies of commits to this file by any connection: `commits.mark()`, read, `await commits.after(mark, ...)`. */
  readonly commits: CommitNotifier;
  close(): void;
}

const SCHEMA_SQL = `SELECT CAST(name || tbl_name || coalesce(sql, '') AS BLOB) FROM sqlite_master`;

/** A commit is flushed to the disk. */
const DURABLE = 'PRAGMA synchronous=FULL';

/** libsql aborts the process on a name of a column that is not UTF-8. */
function assertReadableSchema(raw: Libsql.Database): void {
  const rows = raw.prepare(SCHEMA_SQL).raw().all([]) as [Buffer][];
  if (!rows.every(([definition]) => isUtf8(definition))) throw new Error('its schema is damaged');
}

const connect = (path: string, busyTimeoutMs: number): Libsql.Database => {
  let raw: Libsql.Database | undefined;
  try {
    raw = new Libsql(path);
    raw.exec(`PRAGMA busy_timeout=${busyTimeoutMs}`);
    raw.exec(`PRAGMA journal_mode=WAL; ${DURABLE}`);
    // A longer WAL rewrites hot index pages less often, and the cache holds the index pages that appends change.
    raw.exec('PRAGMA wal_autocheckpoint=16384; PRAGMA cache_size=-12288');
    assertReadableSchema(raw);
    return raw;
  } catch (error) {
    raw?.close();
    throw new UnusableDatabase(path, error);
  }
};

const identityOf = (path: string): string | null => {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? `${stats.dev}/${stats.ino}` : null;
};

/**
 * A file that was deleted, or moved with its folder, stays open: what is written to it is gone, or not where the next start
 * looks for it.
 * @param path of a file that is open
 * @returns a function that @throws EngineUnavailable when another file, or none, is at the path now
 */
function guardFileIdentity(path: string, engine: EngineName): () => void {
  const opened = identityOf(path);
  return () => {
    const found = identityOf(path);
    if (found === opened) return;
    const happened = found === null ? 'was deleted or moved' : 'was replaced by another one';
    throw new EngineUnavailable(
      engine,
      `${path} ${happened} while the program runs: stop the program, put the data folder back, and start it again`,
    );
  };
}

/**
 * Opens the file, or creates it; its folder must exist.
 * @throws UnusableDatabase
 */
export function openDatabase(path: string, options: DatabaseOptions = {}): Database {
  const { busyTimeoutMs = 10_000, pollMs = 10, trimWalMs = 60_000, engine } = options;
  const raw = connect(path, busyTimeoutMs);
  const attempt = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw engine ? unavailable(engine, error) : error;
    }
  };
  const statements = new Map<string, Statement<never>>();
  const version = raw.prepare('PRAGMA data_version').raw();
  const commits = createCommitNotifier(() => attempt(() => (version.get([]) as [number])[0]), pollMs);
  const walTrim = createWalTrim(path, raw, trimWalMs);
  const assertInPlace = engine ? guardFileIdentity(path, engine) : () => undefined;
  let open = true;
  let inTransaction = false;
  const ready = (): void => {
    if (!open) throw new Error(`database ${path} is closed`);
  };
  const wrote = (): void => {
    if (inTransaction) return;
    commits.committed();
    walTrim.committed();
  };
  const transact = <Result>(body: () => Result): Result => {
    attempt(() => raw.exec('BEGIN IMMEDIATE'));
    inTransaction = true;
    try {
      const result = body();
      if (result instanceof Promise) throw new TypeError('the body of a transaction is synchronous');
      assertInPlace();
      attempt(() => raw.exec('COMMIT'));
      inTransaction = false;
      wrote();
      return result;
    } catch (error) {
      // SQLite has rolled back by itself after some errors, such as a full disk.
      if (raw.inTransaction) raw.exec('ROLLBACK');
      throw error;
    } finally {
      inTransaction = false;
    }
  };

  return {
    path,
    prepare: <Row extends readonly unknown[]>(sql: string) => {
      ready();
      let statement = statements.get(sql);
      if (!statement) {
        const written = attempt(() => raw.prepare(sql));
        const columns = written.reader ? written.columns() : [];
        const safe = engine === undefined ? sql : castToDeclared(sql, columns);
        statement = guardStatement(sql, safe === sql ? written : attempt(() => raw.prepare(safe)), {
          columns,
          allowsText: engine === undefined,
          damaged: () => new DamagedData(engine ?? 'documents', 'a text that is not UTF-8'),
          ready,
          attempt,
          wrote,
        });
        statements.set(sql, statement);
      }
      return statement as unknown as Statement<Row>;
    },
    exec: sql => {
      ready();
      attempt(() => raw.exec(sql));
      wrote();
    },
    transaction: (body, { durable } = { durable: true }) => {
      ready();
      if (inTransaction) throw new Error('transactions do not nest');
      if (durable) return transact(body);
      attempt(() => raw.exec('PRAGMA synchronous=NORMAL'));
      try {
        return transact(body);
      } finally {
        raw.exec(DURABLE);
      }
    },
    commits,
    close: () => {
      if (!open) return;
      open = false;
      commits.close();
      walTrim.close();
      try {
        // libsql keeps the file open until its statements are collected: SQLite would not do this on closing.
        raw.exec('PRAGMA busy_timeout=0; PRAGMA wal_checkpoint(TRUNCATE)');
      } catch {
        // What is in the WAL is as safe as what is in the file.
      }
      raw.close();
    },
  };
}
