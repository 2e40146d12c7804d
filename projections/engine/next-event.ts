import { DamagedData } from '../../contracts/engine/damaged-data';
import type { EventStore } from '../../contracts/ports/event-store';
import type { Position } from '../../contracts/position';

/** The position of the next event of the categories, also of one that is damaged; null when there is none. */
export async function nextEventPosition(
  store: Pick<EventStore, 'readAll'>,
  after: Position,
  categories: readonly string[],
): Promise<Position | null> {
  try {
    for await (const [event] of store.readAll({ after, categories, limit: 1 }))
      return event?.position ?? null;
    return null;
  } catch (error) {
    if (error instanceof DamagedData && error.position !== null) return error.position;
    throw error;
  }
}
