import { z } from 'zod';
import { DECIMAL } from '../money/money';

/** An amount in an event, a sum of amounts, or a rate. */
export const decimal = z.string().regex(DECIMAL);
