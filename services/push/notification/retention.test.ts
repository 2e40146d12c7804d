import { describeRetention } from '../../../test/contracts/retention';
import { PUSH_HOUR_SAMPLES, PUSH_NOTIFICATION_SAMPLES } from '../../../test/events/samples/push';
import { PUSH_HOUR_RETENTION } from '../hour/retention';
import { PUSH_NOTIFICATION_RETENTION } from './retention';

const latest = (samples: typeof PUSH_HOUR_SAMPLES, type: string) => {
  const { v, data } = samples[type]!.at(-1)!;
  return [type, data as object, v] as const;
};
const notification = (type: string) => latest(PUSH_NOTIFICATION_SAMPLES, `PushNotification${type}`);
const counted = latest(PUSH_HOUR_SAMPLES, 'PushNotificationsCounted');

describe('notifications', () =>
  describeRetention(PUSH_NOTIFICATION_RETENTION, [], {
    goes: {
      'one that was sent': [notification('Claimed'), notification('Accepted')],
      'one that was not': [notification('Claimed'), notification('Rejected')],
    },
  }));

describe('their hours', () =>
  describeRetention(PUSH_HOUR_RETENTION, [], { goes: { 'an hour': [counted, counted] } }));
