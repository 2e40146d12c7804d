const code = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

/** A unique index or primary key refused a row. */
export const isUniqueViolation = (error: unknown): boolean =>
  code(error) === 'SQLITE_CONSTRAINT_UNIQUE' || code(error) === 'SQLITE_CONSTRAINT_PRIMARYKEY';

/** Somebody else held the lock for longer than the busy timeout. */
export const isBusy = (error: unknown): boolean => String(code(error)).startsWith('SQLITE_BUSY');

/** A database file that cannot be used: not there, not readable, not a database, damaged or locked for good. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase';
  constructor(
    readonly path: string,
    cause: unknown,
  ) {
    super(`database ${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
