import type { Position } from '../../contracts/position';
import type { EventsUpToHead } from '../engine/catch-up';

/** The events of a store up to a position, as if it were the head. Reads forwards only. */
export function prefixOf(store: Pick<EventsUpToHead, 'readAll'>, position: Position): EventsUpToHead {
  return {
    head: async () => position,
    async *readAll(options) {
      for await (const events of store.readAll(options)) {
        const within = events.filter(event => event.position <= position);
        if (within.length > 0) yield within;
        if (within.length < events.length) return;
      }
    },
  };
}
