import type { EventStore, RecordedEvent } from '../ports/event-store';

/** The last event of a stream; null when it has none. */
export async function lastEventOf(
  store: Pick<EventStore, 'readStream'>,
  stream: string,
): Promise<RecordedEvent | null> {
  for await (const event of store.readStream(stream, { direction: 'backwards', limit: 1 })) return event;
  return null;
}
