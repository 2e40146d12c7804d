import { describeEventStore } from '../contracts/event-store';
import { InMemoryEventStore, StoredEvents } from './event-store';

const places = new Map<string, StoredEvents>();

describeEventStore('memory', async place => {
  if (!places.has(place)) places.set(place, new StoredEvents());
  return new InMemoryEventStore(places.get(place));
});
