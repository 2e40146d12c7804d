import type { DomainEvent } from '../../contracts/decider';
import type { EventFamily, Known } from '../../contracts/events/event-type';
import type { EventStore, RecordedEvent } from '../../contracts/ports/event-store';

/**
 * The last event of each stream of a category, oldest first. From the event store, so that it works while no projection runs.
 * @param keyOf of streams about several subjects: the subject of an event
 */
export async function lastEvents<Event extends DomainEvent>(
  store: Pick<EventStore, 'readAll'>,
  category: string,
  events: EventFamily<Event>,
  keyOf: (event: Event) => string = () => '',
): Promise<Known<Event, RecordedEvent>[]> {
  const last = new Map<string, Known<Event, RecordedEvent>>();
  for await (const page of store.readAll({ categories: [category] }))
    for (const recorded of page) {
      const event = events.read(recorded);
      const key = `${recorded.stream} ${keyOf(event as unknown as Event)}`;
      last.delete(key);
      last.set(key, event);
    }
  return [...last.values()];
}
