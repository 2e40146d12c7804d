import { PUSH_HOUR_CATEGORY } from '../../../contracts/events/push-hour';
import type { Retention } from '../../retention/retention';

/** A summary is sent within an hour of its end; the places of notifications count for as long as one may be sent. */
export const PUSH_HOUR_RETENTION: Retention = {
  name: 'push_hour',
  of: 'counts of notifications in an hour',
  category: PUSH_HOUR_CATEGORY,
  days: 30,
  hasNoDocument: () => true,
};
