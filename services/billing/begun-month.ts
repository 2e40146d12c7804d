import { Problem } from '../../contracts/problem/problem';
import { periodOf, type BillingPeriod } from '../../contracts/time/billing-period';
import type { Calendar } from '../../contracts/time/calendar';

/**
 * Refuses to bill or settle a month that has not begun where the instance is: what it will have is not known.
 * @param now RFC 3339 UTC instant with milliseconds
 * @throws Problem 400
 */
export function assertBegun(
  calendar: Pick<Calendar, 'dayOf'>,
  billingPeriod: BillingPeriod,
  now: string,
): void {
  if (billingPeriod > periodOf(calendar.dayOf(now)))
    throw Problem.invalid('/body/billingPeriod', 'must be a month that has begun', 'in_future');
}
