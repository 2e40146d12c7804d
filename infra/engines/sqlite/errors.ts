import { EngineUnavailable, type EngineName } from '../../../contracts/engine-unavailable';

const code = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

/** A unique index or primary key refused a row. */
export function isUniqueViolation(error: unknown): boolean {
  return code(error) === 'SQLITE_CONSTRAINT_UNIQUE' || code(error) === 'SQLITE_CONSTRAINT_PRIMARYKEY';
}

/** Somebody else held the lock for longer than the busy timeout. */
export function isBusy(error: unknown): boolean {
  return String(code(error)).startsWith('SQLITE_BUSY');
}

/** Faults of what lies below the file: https://www.sqlite.org/rescode.html */
const DISK_FAULTS: readonly (readonly [code: RegExp, words: string])[] = [
  [/^SQLITE_FULL$/, 'the disk is full'],
  [/^SQLITE_IOERR/, 'the disk cannot be read or written'],
  [/^SQLITE_READONLY/, 'the file cannot be written'],
  [/^SQLITE_CANTOPEN/, 'the file cannot be opened'],
];

/** In words what is wrong with the disk, if that is what is wrong. It may be mended while the program runs. */
const diskFault = (error: unknown): string | null => {
  const found = String(code(error));
  const words = DISK_FAULTS.find(([fault]) => fault.test(found))?.[1];
  return words === undefined ? null : `${words} (${found})`;
};

/** An error of SQLite as an engine that is away when it is for the disk; others are what they are. */
export function unavailable(engine: EngineName, error: unknown): unknown {
  const reason = diskFault(error);
  return reason === null ? error : new EngineUnavailable(engine, reason, { cause: error });
}

const reasonOf = (cause: unknown): string =>
  diskFault(cause) ?? (cause instanceof Error ? cause.message : String(cause));

/** A database file that cannot be used: not there, not readable, not a database, damaged or locked for good. */
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
