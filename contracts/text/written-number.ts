import { z } from 'zod';

/** A number that is written as text: in a query, a setting or an option of a command. */
export const writtenNumber = z.coerce.number({
  error: ({ code }) => (code === 'invalid_type' ? 'must be a number' : undefined),
});
