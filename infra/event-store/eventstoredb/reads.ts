import { BEGINNING, type Position } from '../../../contracts/position';
import type { ReadAllOptions, ReadStreamOptions, RecordedEvent } from '../port';
import type { Connection } from './connection';
import { answers } from './feed';
import { fromAfter } from './positions';
import { eventOf, toRecordedEvent } from './records';
import { readAllRequest, readStreamRequest } from './requests';
import { select } from './selection';

const MOST_HELD = 1_000;

export interface Reads {
  readStream(stream: string, options?: ReadStreamOptions): AsyncGenerator<RecordedEvent>;
  readAll(options?: ReadAllOptions): AsyncGenerator<RecordedEvent[]>;
  head(): Promise<Position>;
}

export const createReads = (connection: Connection): Reads => {
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
    const from = forwards ? fromAfter(after ?? BEGINNING) : (after ?? 'end');
    const isMeant = ({ stream, position }: RecordedEvent): boolean =>
      selection.has(stream) && (after === undefined || (forwards ? position > after : position < after));

    let left = limit;
    for await (const batch of answers(connection, readAllRequest(from, direction, selection), MOST_HELD)) {
      const events = batch
        .map(eventOf)
        .map(recorded => recorded && toRecordedEvent(recorded))
        .filter(event => event !== undefined && event !== null)
        .filter(isMeant)
        .slice(0, left);
      if (events.length > 0) yield events;
      if ((left -= events.length) <= 0) return;
    }
  }

  return {
    readStream,
    readAll,
    head: async () => {
      for await (const [last] of readAll({ direction: 'backwards', limit: 1 })) return last!.position;
      return BEGINNING;
    },
  };
};
