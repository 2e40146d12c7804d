import {
  WrongExpectedRevision,
  type AppendResult,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  type RecordedEvent,
} from '../../../contracts/ports/event-store';
import type { ForeignEvents } from './foreign-events';
import { readAllWhere, readStreamWhere } from './selected-events';

/** Every event that this program writes has the version of its type in its metadata. */
const isOwn = ({ metadata }: RecordedEvent): boolean => metadata['v'] !== undefined;

/**
 * The event store as if it held nothing but what this program has written: on a shared server others may write into its streams.
 * Their events are skipped, and noted. They keep their revisions and positions: a checkpoint moves past them, and an append whose
 * expected revision is that of the last own event succeeds.
 */
export function ownEventsOf(store: EventStore, foreign: ForeignEvents): EventStore {
  const own = (event: RecordedEvent): boolean => {
    if (isOwn(event)) return true;
    foreign.note(event);
    return false;
  };

  async function append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
  ): Promise<AppendResult> {
    try {
      return await store.append(stream, expected, events);
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision) || !foreign.isIn(stream)) throw error;
      const last = await lastOfForeign(store, stream, expected);
      if (last === null) throw error;
      return store.append(stream, last, events);
    }
  }

  return {
    ...store,
    append,
    readStream: (stream, options) => readStreamWhere(store, own, stream, options),
    readAll: options => readAllWhere(store, own, options),
    async *subscribe(options) {
      for await (const { events, position } of store.subscribe(options))
        yield { events: events.filter(own), position };
    },
  };
}

/** The revision of the last event, when all after the expected revision are foreign; else null. */
async function lastOfForeign(
  store: EventStore,
  stream: string,
  expected: ExpectedRevision,
): Promise<number | null> {
  if (expected === 'any' || expected === 'stream_exists') return null;
  let last: number | null = null;
  for await (const event of store.readStream(stream, { from: expected === 'no_stream' ? 0 : expected + 1 })) {
    if (isOwn(event)) return null;
    last = event.revision;
  }
  return last;
}
