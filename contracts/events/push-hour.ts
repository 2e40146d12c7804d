import { z } from 'zod';
import { CAPPED_KINDS, type CappedKind } from '../push/push-cause';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of what devices are notified of in an hour, one stream per device, kind and hour. */
export const PUSH_HOUR_CATEGORY = 'pushHour';

/** Notifications of one kind for one device that belong to one hour. */
export const pushHour = z.object({
  deviceId: z.string(),
  kind: z.enum(CAPPED_KINDS),
  /** Its beginning: RFC 3339 UTC instant. */
  hour: z.iso.datetime(),
});
export type PushHour = z.output<typeof pushHour>;

const HOUR_MS = 3_600_000;

/** @param at RFC 3339 instant of what is notified: whenever it is seen again it belongs to the same hour */
export function pushHourOf(deviceId: string, kind: CappedKind, at: string): PushHour {
  const hour = new Date(Math.floor(Date.parse(at) / HOUR_MS) * HOUR_MS).toISOString();
  return { deviceId, kind, hour };
}

/** Milliseconds since the epoch. */
export function endOfPushHour({ hour }: PushHour): number {
  return Date.parse(hour) + HOUR_MS;
}

export function pushHourStream({ deviceId, kind, hour }: PushHour): string {
  return `${PUSH_HOUR_CATEGORY}-${deviceId}/${kind}/${hour}`;
}

// These types are the storage format.
/** In the order in which they have places in the hour. */
const counted = eventType({
  name: 'PushNotificationsCounted',
  /** The kinds of staking: only since the second version; those of cards since the third. */
  version: 3,
  schema: z.object({ ...pushHour.shape, notificationIds: z.array(z.string()), at: z.iso.datetime() }),
  upcasts: { 1: data => data, 2: data => data },
});

export const pushHourEvents = eventFamily(counted);
export type PushHourEvent = EventOf<typeof counted>;
