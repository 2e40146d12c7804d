import type { z } from 'zod';

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID',
  guid: 'must be a UUID',
  datetime: 'must be an instant such as 2026-10-03T10:00:00Z',
  date: 'must be a day such as 2026-10-03',
  url: 'must be a URL',
};

const TYPES: Readonly<Record<string, string>> = {
  string: 'must be a string',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  object: 'must be an object',
  record: 'must be an object',
  array: 'must be a list',
};

const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' items' };

/**
 * What is wrong with a value, where its schema does not say it: the words of zod are those of a programmer. Undefined for what
 * zod says well.
 */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  const isMissing = issue.input === undefined;
  switch (issue.code) {
    case 'invalid_type':
      return isMissing ? 'is missing' : TYPES[issue.expected];
    case 'invalid_value':
      return isMissing ? 'is missing' : oneOf(issue.values);
    case 'invalid_union':
      return isMissing && !issue.discriminator ? 'is missing' : discriminated(issue);
    case 'invalid_format':
      return FORMATS[issue.format];
    case 'too_big':
      return limit(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
    case 'too_small':
      return limit(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum);
    default:
      return undefined;
  }
}

/** The options of `safeParse` with which issues say what `describeIssue` does. */
export const DESCRIBED: z.core.ParseContext<z.core.$ZodIssue> = { error: describeIssue };

function oneOf(values: readonly unknown[]): string {
  return values.length === 1 ? `must be ${String(values[0])}` : `must be one of ${values.join(', ')}`;
}

function discriminated({ input, discriminator, options }: z.core.$ZodRawIssue): string | undefined {
  if (typeof discriminator !== 'string' || typeof input !== 'object' || input === null) return undefined;
  if (!(discriminator in input)) return 'is missing';
  return Array.isArray(options) ? oneOf(options) : undefined;
}

function limit(origin: string, comparison: string, bound: number | bigint): string | undefined {
  if (origin === 'number' || origin === 'int') return `must be ${comparison} ${bound}`;
  const units = UNITS[origin];
  return units && `must have ${comparison} ${bound}${Number(bound) === 1 ? units.slice(0, -1) : units}`;
}
