import { PUSH_NOTIFICATION_CATEGORY } from '../../../contracts/events/push-notification';
import type { Retention } from '../../retention/retention';

/** It prevents that a notification is sent twice, which nobody sends any more after an hour, or when its request has expired. */
export const PUSH_NOTIFICATION_RETENTION: Retention = {
  name: 'push_notification',
  of: 'notifications of devices',
  category: PUSH_NOTIFICATION_CATEGORY,
  textsOf: 'push:',
  days: 30,
  hasNoDocument: () => true,
};
