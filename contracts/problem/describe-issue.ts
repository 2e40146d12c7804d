import type { z } from 'zod';

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID',
  guid: 'must be a UUID',
  datetime: 'must be an instant such as 2026-10-03T10:00:00Z',
  date: 'must be a day such as 2026-10-03',
  url: 'must be a URL',
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
    case 'invalid_value':
      return isMissing ? 'is missing' : undefined;
    case 'invalid_union':
      return isMissing && !issue.discriminator ? 'is missing' : missingDiscriminator(issue);
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

function missingDiscriminator({ input, discriminator }: z.core.$ZodRawIssue): string | undefined {
  if (typeof discriminator !== 'string' || typeof input !== 'object' || input === null) return undefined;
  return discriminator in input ? undefined : 'is missing';
}

function limit(origin: string, comparison: string, bound: number | bigint): string | undefined {
  if (origin === 'number' || origin === 'int') return `must be ${comparison} ${bound}`;
  const units = UNITS[origin];
  return units && `must have ${comparison} ${bound}${Number(bound) === 1 ? units.slice(0, -1) : units}`;
}
