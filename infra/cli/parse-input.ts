import type { z } from 'zod';

/** Parses input from the command line or a file. @throws Error with a line for each fault */
export function parseInput<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  throw new Error(read.error.issues.map(({ path, message }) => [...path, message].join(': ')).join('\n'));
}
