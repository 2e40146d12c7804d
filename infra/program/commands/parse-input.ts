import type { z } from 'zod';
import { DESCRIBED } from '../../../contracts/problem/describe-issue';
import { UsageError } from './usage-error';

/** Parses input from the command line or a file. @throws UsageError with a line for each fault */
export function parseInput<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const read = schema.safeParse(given, DESCRIBED);
  if (read.success) return read.data;
  throw new UsageError(
    read.error.issues.map(({ path, message }) => [...path, message].join(': ')).join('\n'),
  );
}
