import { DamagedData } from '../../../contracts/engine/damaged-data';
import { messageOf } from '../../../contracts/text/error-message';
import { EngineUnavailable, type EngineName } from '../../../contracts/engine/engine-unavailable';

const code = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

/** A unique index or primary key refused a row. */
export function isUniqueViolation(error: unknown): boolean {
  return code(error) === 'SQLITE_CONSTRAINT_UNIQUE' || code(error) === 'SQLITE_CONSTRAINT_PRIMARYKEY';
}

/** Another connection held the lock for longer than the busy timeout. */
export function isBusy(error: unknown): boolean {
  return String(code(error)).startsWith('SQLITE_BUSY');
}

/** Errors of the file system: https://www.sqlite.org/rescode.html */
const DISK_ERRORS: readonly (readonly [code: RegExp, description: string])[] = [
  [/^SQLITE_FULL$/, 'the disk is full'],
  [/^SQLITE_IOERR/, 'the disk cannot be read or written'],
  [/^SQLITE_READONLY/, 'the file cannot be written'],
  [/^SQLITE_CANTOPEN/, 'the file cannot be opened'],
];

/** Describes an error of the disk, which may be fixed while the program runs; null for other errors. */
const diskError = (error: unknown): string | null => {
  const found = String(code(error));
  const description = DISK_ERRORS.find(([pattern]) => pattern.test(found))?.[1];
  return description === undefined ? null : `${description} (${found})`;
};

/** Makes EngineUnavailable of errors of the disk, and DamagedData of a damaged file; returns others unchanged. */
export function unavailable(engine: EngineName, error: unknown): unknown {
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(String(code(error))))
    return new DamagedData(engine, messageOf(error), null, { cause: error });
  const reason = diskError(error);
  return reason === null ? error : new EngineUnavailable(engine, reason, { cause: error });
}

const reasonOf = (cause: unknown): string => diskError(cause) ?? messageOf(cause);

/** A database file that cannot be used: missing, not readable, not a database, damaged or locked. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase';
  constructor(
    readonly path: string,
    cause: unknown,
  ) {
    super(`database ${path}: ${reasonOf(cause instanceof EngineUnavailable ? cause.cause : cause)}`, {
      cause,
    });
  }
}
