import { z } from 'zod';
import { isBillingPeriod } from '../time/billing-period';

/** A month in an event. */
export const month = z.string().refine(isBillingPeriod);
