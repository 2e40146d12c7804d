import type { CommandMetadata } from '../../../contracts/decider';
import { pushHourEvents, type PushHour, type PushHourEvent } from '../../../contracts/events/push-hour';
import type { StreamKind } from '../../commands/stream-kind';

/** Notifications of one kind that a device gets in an hour. Who causes more must not disturb its owner more. */
export const MAX_PER_HOUR = 10;
/** Notifications that are counted in an hour: a summary says at most so many. */
export const MAX_COUNTED = 1_000;

/** The ids of the notifications of an hour, in the order of their places. */
type Counted = ReadonlySet<string>;

export interface CountNotifications {
  readonly hour: PushHour;
  readonly notificationIds: readonly string[];
  readonly metadata: CommandMetadata;
}

/** A notification has one place in its hour, however often it is counted. */
export const pushHourKind: StreamKind<Counted, CountNotifications, PushHourEvent> = {
  events: pushHourEvents,
  decider: {
    initial: () => new Set(),
    evolve: (counted, { data }) => new Set([...counted, ...data.notificationIds]),
    decide(counted, { hour, notificationIds, metadata: { now: at } }) {
      const added = [...new Set(notificationIds)].filter(id => !counted.has(id));
      const places = added.slice(0, MAX_COUNTED - counted.size);
      if (places.length === 0) return [];
      return [{ type: 'PushNotificationsCounted', data: { ...hour, notificationIds: places, at } }];
    },
  },
};

/** Whether a notification is sent; what has no place among the first is told in the summary of the hour. */
export function isWithinCap(counted: Counted, notificationId: string): boolean {
  let place = 0;
  for (const id of counted) {
    if (place++ === MAX_PER_HOUR) return false;
    if (id === notificationId) return true;
  }
  return false;
}

/** Notifications of an hour that are not sent. */
export function countBeyondCap(counted: Counted): number {
  return Math.max(0, counted.size - MAX_PER_HOUR);
}
