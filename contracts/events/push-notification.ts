import { z } from 'zod';
import { encryptedText } from '../text/personal-text';
import { CAPPED_KINDS } from '../push/push-cause';
import { PUSH_REJECTIONS } from '../ports/push-sender';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of notifications, one stream per device and cause. */
export const PUSH_NOTIFICATION_CATEGORY = 'pushNotification';

/** @param notificationId `pushNotificationId` */
export function pushNotificationStream(notificationId: string): string {
  return `${PUSH_NOTIFICATION_CATEGORY}-${notificationId}`;
}

const attempt = {
  notificationId: z.string(),
  /** From 1. */
  attempt: z.int(),
  /** RFC 3339 UTC instant with milliseconds. */
  at: z.iso.datetime(),
};

// These types are the storage format.
/** The sender is about to be called: from here on the device may have the notification. */
const claimed = eventType({
  name: 'PushNotificationClaimed',
  version: 4,
  schema: z.object({
    ...attempt,
    deviceId: z.string(),
    /** `summary`: only since the second version; the kinds of staking since the third, those of cards since the fourth. */
    kind: z.enum([...CAPPED_KINDS, 'summary']),
    /** JSON of title, body and data. */
    content: encryptedText,
  }),
  upcasts: { 1: data => data, 2: data => data, 3: data => data },
});
const accepted = eventType({
  name: 'PushNotificationAccepted',
  schema: z.object({ ...attempt, /** Of the sender. */ ticket: z.string() }),
});
const rejected = eventType({
  name: 'PushNotificationRejected',
  schema: z.object({ ...attempt, reason: z.enum(PUSH_REJECTIONS), message: z.string() }),
});
/** Nothing was sent: it may be claimed again. */
const deferred = eventType({
  name: 'PushNotificationDeferred',
  schema: z.object({ ...attempt, retryAt: z.iso.datetime(), message: z.string() }),
});
/** The answer of the sender was lost: it is not sent again. */
const outcomeUnknown = eventType({ name: 'PushNotificationOutcomeUnknown', schema: z.object(attempt) });
/** The sender had accepted it, and then could not deliver it. */
const undelivered = eventType({
  name: 'PushNotificationUndelivered',
  schema: z.object({ ...attempt, reason: z.enum(PUSH_REJECTIONS), message: z.string() }),
});

export const pushNotificationEvents = eventFamily(
  claimed,
  accepted,
  rejected,
  deferred,
  outcomeUnknown,
  undelivered,
);
export type PushNotificationEvent = EventOf<
  | typeof claimed
  | typeof accepted
  | typeof rejected
  | typeof deferred
  | typeof outcomeUnknown
  | typeof undelivered
>;
