import type { EventStore, RecordedEvent } from '../../contracts/ports/event-store';

/** The same store, to which the time of recording of each event is that of its position, however it is read. */
export function recordedAt(at: (position: number) => string): (store: EventStore) => EventStore {
  const moved = (event: RecordedEvent): RecordedEvent => ({ ...event, created: at(event.position) });
  return store => ({
    ...store,
    async *readStream(...read) {
      for await (const event of store.readStream(...read)) yield moved(event);
    },
    async *readAll(options) {
      for await (const events of store.readAll(options)) yield events.map(moved);
    },
    async *subscribe(options) {
      for await (const batch of store.subscribe(options)) yield { ...batch, events: batch.events.map(moved) };
    },
  });
}
