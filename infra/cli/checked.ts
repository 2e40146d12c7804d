import type { z } from 'zod';

/** What was given on the command line, or in a file named there. @throws Error that names what is wrong, a line each */
export function checked<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  throw new Error(read.error.issues.map(({ path, message }) => [...path, message].join(': ')).join('\n'));
}
