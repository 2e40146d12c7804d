/** The type of a parameter. Whole numbers are stored as INTEGER, others as REAL, bytes as BLOB. */
export type SqlValue = string | number | bigint | null | Uint8Array;

const textFault = (text: string): string | null => {
  if (text.includes('\0')) return 'text with U+0000';
  // A lone surrogate has no UTF-8 form: libsql would replace it with U+FFFD.
  return (text as string & { isWellFormed(): boolean }).isWellFormed() ? null : 'text with a lone surrogate';
};

/** For text that reaches a column other than as a parameter, such as inside JSON. */
export function isStorableText(value: unknown): value is string {
  return typeof value === 'string' && textFault(value) === null;
}

const fault = (value: unknown): string | null => {
  if (value === null) return null;
  switch (typeof value) {
    case 'string':
      return textFault(value);
    case 'number':
      if (!Number.isFinite(value)) return String(value);
      return Number.isInteger(value) && !Number.isSafeInteger(value) ? 'an integer beyond 2^53' : null;
    case 'bigint':
      return BigInt.asIntN(64, value) === value ? null : 'an integer beyond 64 bits';
    default:
      return value instanceof Uint8Array ? null : value === undefined ? 'undefined' : `a ${typeof value}`;
  }
};

/**
 * Checks the parameters of a statement and converts them so that libsql stores them exactly: by itself it aborts the
 * process on a boolean, cuts text at U+0000, turns NaN into NULL and binds every number as REAL.
 * @throws TypeError naming the parameter, counted from 1
 */
export function bindValues(sql: string, expected: number, values: readonly SqlValue[]): SqlValue[] {
  if (!Array.isArray(values)) throw new TypeError(`parameters must be one array: ${sql}`);
  if (values.length !== expected)
    throw new TypeError(`${values.length} parameters passed, ${expected} expected: ${sql}`);
  // A plain loop takes less than half the time of a callback, and a group of appends binds thousands of values.
  const bound = new Array<SqlValue>(expected);
  for (let index = 0; index < expected; index += 1) {
    const value = values[index] as SqlValue;
    const reason = fault(value);
    if (reason !== null) throw new TypeError(`parameter ${index + 1} is ${reason}: ${sql}`);
    bound[index] = Number.isSafeInteger(value) ? BigInt(value as number) : value;
  }
  return bound;
}
