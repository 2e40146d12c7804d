import { PUSH_DEVICE_CATEGORY } from '../../../contracts/events/push-device';
import type { Retention } from '../../retention/retention';

/**
 * The last registration of a device that is notified stays: those that have not registered for long are retired. By default a retired one is known for as
 * long as another may go without registering: so long it may have taken a place at an account from that one, which a rebuild
 * without it would give back.
 */
export const PUSH_DEVICE_RETENTION: Retention = {
  name: 'push_device',
  of: 'devices that are no longer notified, and registrations that were replaced, so long after that',
  category: PUSH_DEVICE_CATEGORY,
  textsOf: 'push:',
  days: 90,
  hasNoDocument: ({ type }) => type === 'PushDeviceRetired',
  lastEventIsState: true,
};
