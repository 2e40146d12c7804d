import { z } from 'zod';

/** A number that is written as text: in a query, a setting or an option of a command. */
export const writtenNumber = z.coerce.number('must be a number');
