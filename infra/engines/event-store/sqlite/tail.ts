import type { Position } from '../../../../contracts/position';
import type { RecordedEvent } from '../../../../contracts/ports/event-store';
import type { DecodedPage } from './event-rows';

/** So many are read at once, and kept; who is further behind reads the file. */
export const MAX_TAIL_EVENTS = 256;

/** The newest events, read and decoded once for all subscriptions that have reached the end of the store. */
export interface Tail {
  /** The events after a position up to another; null where they have to be read from the file. */
  between(after: Position, until: Position): RecordedEvent[] | null;
}

/** @param read the first `MAX_TAIL_EVENTS` events after a position up to another */
export function createTail(read: (after: Position, until: Position) => DecodedPage): Tail {
  let events: RecordedEvent[] = [];
  /** It has all events after `start` up to `end`. */
  let start: Position = -1;
  let end: Position = -1;

  const extend = (until: Position): boolean => {
    const page = read(end, until);
    if (page.damaged || page.events.length === MAX_TAIL_EVENTS) return false;
    events.push(...page.events);
    end = until;
    const dropped = events.splice(0, Math.max(0, events.length - MAX_TAIL_EVENTS));
    start = dropped.at(-1)?.position ?? start;
    return true;
  };

  return {
    between(after, until) {
      // Nobody has asked for what is in between.
      if (after > end) {
        events = [];
        start = after;
        end = after;
      }
      if (after < start || (until > end && !extend(until)) || after < start) return null;
      // From the end: most have missed only the last few.
      const first = events.findLastIndex(({ position }) => position <= after) + 1;
      return events.slice(first).filter(({ position }) => position <= until);
    },
  };
}
