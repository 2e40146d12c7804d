import type Libsql from 'libsql';
import { countParameters } from './count-parameters';
import { bindValues, type SqlValue } from './bind-values';
import { decodeText } from './checksum';

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

/** The name of columns that `text` selects. */
const TEXT = 'text';

/**
 * Selects a text as bytes, which `Statement` decodes: libsql aborts the process when it reads a text that is not UTF-8, as a
 * damaged one may be.
 */
export function text(column: string): string {
  return `CAST(${column} AS BLOB) AS ${TEXT}`;
}

const WRITE = /\b(insert|update|delete|replace|create|drop|alter)\b/i;

interface Guards {
  /** Throws when the database is closed: libsql would keep using it. */
  ready(): void;
  /** Those of the query as it was written. */
  readonly columns: readonly Libsql.ColumnDefinition[];
  /** Whether text may be read otherwise than by `text`. */
  readonly allowsText: boolean;
  /** The error for a text that is not UTF-8. */
  damaged(): Error;
  /** Runs the work and maps errors of SQLite. */
  attempt<Result>(work: () => Result): Result;
  /** Called after each execution that may have changed something. */
  wrote(): void;
}

export function guardStatement<Row extends readonly unknown[]>(
  sql: string,
  raw: Libsql.Statement,
  { columns, allowsText, damaged, ready, attempt, wrote }: Guards,
): Statement<Row> {
  const count = countParameters(sql);
  const writes = WRITE.test(sql);
  const reader = raw.reader;
  const texts = reader ? textColumns(sql, columns, allowsText) : [];
  if (reader) raw.raw();
  const decoded = (row: unknown): unknown => {
    if (row !== undefined)
      for (const column of texts) (row as unknown[])[column] = decode((row as unknown[])[column]);
    return row;
  };
  const decode = (value: unknown): unknown => {
    if (!(value instanceof Uint8Array)) return value;
    const found = decodeText(value as Buffer);
    if (found === null) throw damaged();
    return found;
  };
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
    get: (parameters = []) => execute(true, parameters, bound => decoded(raw.get(bound))),
    all: (parameters = []) =>
      execute(true, parameters, bound => {
        const rows = raw.all(bound);
        return texts.length === 0 ? rows : rows.map(decoded);
      }),
  };
}

/** Declared types whose values a damaged record may call text. */
const CAST_TYPES: readonly (string | null)[] = ['INTEGER', 'BLOB'];

/**
 * The query with its numbers and bytes cast to what they are declared as: a damaged record may call them text that is not
 * UTF-8, on which libsql aborts the process.
 */
export function castToDeclared(sql: string, columns: readonly Libsql.ColumnDefinition[]): string {
  if (!/^\s*(select|with)\b/i.test(sql) || !columns.some(({ type }) => CAST_TYPES.includes(type))) return sql;
  const names = columns.map((_, index) => `c${index}`);
  const values = columns.map(({ type }, index) =>
    CAST_TYPES.includes(type) ? `CAST(c${index} AS ${type})` : `c${index}`,
  );
  return `WITH read_rows (${names.join()}) AS (${sql}) SELECT ${values.join()} FROM read_rows`;
}

/** @throws TypeError when a text is selected in another way, if that is not allowed */
function textColumns(
  sql: string,
  columns: readonly Libsql.ColumnDefinition[],
  allowsText: boolean,
): number[] {
  const unsafe = columns.find(({ type }) => type === 'TEXT');
  if (unsafe && !allowsText) throw new TypeError(`select ${unsafe.name} by text(): ${sql}`);
  return columns.flatMap(({ name }, index) => (name === TEXT ? [index] : []));
}
