import { BEGINNING, type Position } from '../../../../contracts/position';
import type {
  ReadAllOptions,
  ReadStreamOptions,
  RecordedEvent,
} from '../../../../contracts/ports/event-store';
import type { Connection } from './connection';
import { answers } from './feed';
import { fromAfter, positionOf } from './positions';
import { eventOf, toRecordedEvent } from './records';
import { readAllRequest, readStreamRequest } from './requests';
import { select } from './selection';

const MOST_HELD = 1_000;

export interface Reads {
  readStream(stream: string, options?: ReadStreamOptions): AsyncGenerator<RecordedEvent>;
  readAll(options?: ReadAllOptions): AsyncGenerator<RecordedEvent[]>;
  head(): Promise<Position>;
}

export function createReads(connection: Connection): Reads {
  async function* readStream(stream: string, options: ReadStreamOptions = {}): AsyncGenerator<RecordedEvent> {
    const { limit = Infinity } = options;
    if (limit <= 0) return;
    for await (const batch of answers(connection, readStreamRequest(stream, options), MOST_HELD))
      for (const answer of batch) {
        const recorded = eventOf(answer);
        const event = recorded && toRecordedEvent(recorded);
        if (event) yield event;
      }
  }

  async function* readAll(options: ReadAllOptions = {}): AsyncGenerator<RecordedEvent[]> {
    const { direction = 'forwards', limit = Infinity, categories, after } = options;
    const forwards = direction === 'forwards';
    const selection = select(categories);
    if (limit <= 0 || categories?.length === 0 || (!forwards && after === BEGINNING)) return;
    let reached = after;
    const isMeant = ({ stream, position }: RecordedEvent): boolean =>
      selection.has(stream) &&
      (reached === undefined || (forwards ? position > reached : position < reached));

    for (let left = limit; left > 0;) {
      const from = forwards ? fromAfter(reached ?? BEGINNING) : (reached ?? 'end');
      // The answer may begin with the event that was reached.
      const asked = reached === undefined ? left : left + 1;
      let came = 0;
      let last = reached;
      // Heard to its end, even with one too many: servers drop a connection on which many calls are cancelled.
      for await (const batch of answers(
        connection,
        readAllRequest(from, direction, selection, asked),
        MOST_HELD,
      )) {
        const recorded = batch.map(eventOf).filter(event => event !== undefined);
        came += recorded.length;
        if (recorded.length > 0) last = positionOf(recorded.at(-1)!);
        const events = recorded
          .map(toRecordedEvent)
          .filter(event => event !== null)
          .filter(isMeant)
          .slice(0, left);
        left -= events.length;
        if (events.length > 0) yield events;
      }
      if (came < asked) return;
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
