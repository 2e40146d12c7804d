import { ERASURE_CATEGORY, erasureEvents, type ErasureEvent } from '../../contracts/events/erasure';
import type { EventStore } from '../../contracts/ports/event-store';

/** All erasures, oldest first. */
export async function* listErasures(store: Pick<EventStore, 'readAll'>): AsyncIterable<ErasureEvent['data']> {
  for await (const page of store.readAll({ categories: [ERASURE_CATEGORY] }))
    for (const recorded of page) yield erasureEvents.read(recorded).data;
}
