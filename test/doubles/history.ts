import type { EventStore, RecordedEvent } from '../../contracts/ports/event-store';

type Readable = Pick<EventStore, 'readAll' | 'readStream' | 'head'>;

export interface HistoryDouble extends Readable {
  /** Appends, at places and times of the test's choosing. */
  add(...events: readonly RecordedEvent[]): void;
  /** Events handed out so far. */
  readonly read: number;
}

const PAGE = 7;

/**
 * A store to read from, in memory. As in EventStoreDB, positions have gaps, and a read from a place at which no event
 * is fails.
 */
export function historyDouble(events: readonly RecordedEvent[] = []): HistoryDouble {
  const all = [...events];
  let read = 0;
  return {
    add: (...added) => void all.push(...added),
    get read() {
      return read;
    },
    head: async () => all.at(-1)?.position ?? -1,
    async *readStream(stream, { from = 0 } = {}) {
      yield* all.filter(event => event.stream === stream && event.revision >= from);
    },
    async *readAll({ after = -1, categories, limit = Infinity, direction } = {}) {
      if (direction === 'backwards') throw new Error('this double reads forwards');
      if (after !== -1 && !all.some(({ position }) => position === after))
        throw new Error(`no event has position ${after}`);
      const matching = all
        .filter(({ position }) => position > after)
        .filter(({ stream }) => categories?.includes(stream.split('-', 1)[0]!) ?? true)
        .slice(0, limit);
      for (let from = 0; from < matching.length; from += PAGE) {
        const page = matching.slice(from, from + PAGE);
        read += page.length;
        yield page;
      }
    },
  };
}
