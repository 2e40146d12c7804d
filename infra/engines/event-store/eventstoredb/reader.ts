import { BEGINNING, type Position } from '../../../../contracts/position';
import type {
  ReadAllOptions,
  ReadStreamOptions,
  RecordedEvent,
} from '../../../../contracts/ports/event-store';
import type { Connection } from './connection';
import { readEvents } from './read-responses';
import { positionOf } from './positions';
import { toRecordedEvent } from './recorded-events';
import { readAllRequest, readStreamRequest } from './read-requests';
import { categoryFilter } from './category-filter';

const MAX_BUFFERED_EVENTS = 1_000;

export interface Reader {
  readStream(stream: string, options?: ReadStreamOptions): AsyncGenerator<RecordedEvent>;
  readAll(options?: ReadAllOptions): AsyncGenerator<RecordedEvent[]>;
  head(): Promise<Position>;
}

export function createReader(connection: Connection): Reader {
  async function* readStream(stream: string, options: ReadStreamOptions = {}): AsyncGenerator<RecordedEvent> {
    const { limit = Infinity } = options;
    if (limit <= 0) return;
    const request = readStreamRequest(stream, options);
    const leader = { requiresLeader: true };
    for await (const batch of readEvents(connection, request, MAX_BUFFERED_EVENTS, leader))
      yield* batch.map(toRecordedEvent).filter(event => event !== null);
  }

  async function* readAll(options: ReadAllOptions = {}): AsyncGenerator<RecordedEvent[]> {
    const { direction = 'forwards', limit = Infinity, categories, after } = options;
    const forwards = direction === 'forwards';
    const filter = categoryFilter(categories);
    if (limit <= 0 || categories?.length === 0 || (!forwards && after === BEGINNING)) return;
    let reached = after;
    const isWanted = ({ stream, position }: RecordedEvent): boolean =>
      filter.matches(stream) &&
      (reached === undefined || (forwards ? position > reached : position < reached));

    for (let left = limit; left > 0;) {
      const from = reached ?? (forwards ? BEGINNING : 'end');
      // The response may begin with the event that was already reached.
      const count = reached === undefined ? left : left + 1;
      let received = 0;
      let last = reached;
      const request = readAllRequest(from, direction, filter, count);
      for await (const recorded of readEvents(connection, request, MAX_BUFFERED_EVENTS)) {
        received += recorded.length;
        if (recorded.length > 0) last = positionOf(recorded.at(-1)!);
        const events = recorded
          .map(toRecordedEvent)
          .filter(event => event !== null)
          .filter(isWanted)
          .slice(0, left);
        left -= events.length;
        if (events.length > 0) yield events;
      }
      if (received < count) return;
      reached = last;
    }
  }

  return {
    readStream,
    readAll,
    head: async () => {
      let head = BEGINNING;
      for await (const [last] of readAll({ direction: 'backwards', limit: 1 })) head = last!.position;
      return head;
    },
  };
}
