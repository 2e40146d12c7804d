import type Libsql from 'libsql';
import { countParameters } from './count-parameters';
import { bindValues, type SqlValue } from './bind-values';

export interface RunResult {
  readonly changes: number;
  /** Of the last row inserted by this connection; meaningless after anything but an INSERT. */
  readonly lastInsertRowid: number;
}

/** A row is the tuple of its columns. BLOBs come as Buffers; integers beyond 2^53 come rounded, so read them as text. */
export interface Statement<Row extends readonly unknown[]> {
  /** For a statement that returns no rows. */
  run(parameters?: readonly SqlValue[]): RunResult;
  /** The first row. The whole statement takes effect, as in `INSERT ... RETURNING`. */
  get(parameters?: readonly SqlValue[]): Row | undefined;
  /** All rows: the statement should have a LIMIT. */
  all(parameters?: readonly SqlValue[]): Row[];
}

const WRITE = /\b(insert|update|delete|replace|create|drop|alter)\b/i;

interface Guards {
  /** Throws when the database is closed: libsql would keep using it. */
  ready(): void;
  /** Runs the work and maps errors of SQLite. */
  attempt<Result>(work: () => Result): Result;
  /** Called after each execution that may have changed something. */
  wrote(): void;
}

export function guardStatement<Row extends readonly unknown[]>(
  sql: string,
  raw: Libsql.Statement,
  { ready, attempt, wrote }: Guards,
): Statement<Row> {
  const count = countParameters(sql);
  const writes = WRITE.test(sql);
  const reader = raw.reader;
  if (reader) raw.raw();
  const execute = <Result>(
    returnsRows: boolean,
    parameters: readonly SqlValue[],
    how: (bound: SqlValue[]) => unknown,
  ): Result => {
    ready();
    // libsql steps such a statement once and leaves it open, and with it the lock of its transaction.
    if (reader !== returnsRows)
      throw new TypeError(
        `${returnsRows ? 'returns no rows, use run' : 'returns rows, use get or all'}: ${sql}`,
      );
    const bound = bindValues(sql, count, parameters);
    const result = attempt(() => how(bound)) as Result;
    if (writes) wrote();
    return result;
  };
  return {
    run: (parameters = []) => execute(false, parameters, bound => raw.run(bound)),
    get: (parameters = []) => execute(true, parameters, bound => raw.get(bound)),
    all: (parameters = []) => execute(true, parameters, bound => raw.all(bound)),
  };
}
