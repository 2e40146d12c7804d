import { setImmediate as turn } from 'node:timers/promises';
import type { Position } from '../../../../contracts/position';
import type { Database } from '../../sqlite/database';
import { PageSize } from '../../sqlite/page-size';
import type {
  EventBatch,
  ReadAllOptions,
  ReadStreamOptions,
  RecordedEvent,
  SubscribeOptions,
} from '../../../../contracts/ports/event-store';
import { contentOf, type EventRow, toEvents } from './rows';
import { allSql, categoriesSql, HEAD_SQL, streamSql } from './statements';

type Direction = NonNullable<ReadAllOptions['direction']>;

const MOST_ROWS = 1000;

/** Reads in pages; between two pages other work of the process has its turn. */
export function createReader(database: Database) {
  const head = (): Position => database.prepare<[number | null]>(HEAD_SQL).get()![0] ?? -1;

  const select = (
    direction: Direction,
    after: Position,
    until: Position,
    most: number,
    categories: readonly string[] | undefined,
  ): EventRow[] => {
    if (!categories) return database.prepare<EventRow>(allSql(direction)).all([after, until, most]);
    const names = [...new Set(categories)];
    if (names.length === 0) return [];
    return database
      .prepare<EventRow>(categoriesSql(direction, names.length))
      .all([after, until, most, ...names]);
  };

  return {
    head,

    readStream: async function* (
      stream: string,
      options: ReadStreamOptions = {},
    ): AsyncGenerator<RecordedEvent> {
      const { direction = 'forwards', limit = Infinity } = options;
      const step = direction === 'forwards' ? 1 : -1;
      let from = options.from ?? (direction === 'forwards' ? 0 : Number.MAX_SAFE_INTEGER);
      const size = new PageSize(MOST_ROWS);
      for (let left = limit; left > 0; await turn()) {
        const most = Math.min(size.next, left);
        const rows = database.prepare<EventRow>(streamSql(direction)).all([stream, from, most]);
        yield* toEvents(rows);
        if (rows.length < most) return;
        size.saw(rows, contentOf);
        left -= rows.length;
        from = rows.at(-1)![2] + step;
      }
    },

    readAll: async function* (options: ReadAllOptions = {}): AsyncGenerator<RecordedEvent[]> {
      const { direction = 'forwards', limit = Infinity, categories } = options;
      let after = options.after ?? (direction === 'forwards' ? -1 : Number.MAX_SAFE_INTEGER);
      const size = new PageSize(MOST_ROWS);
      for (let left = limit; left > 0; await turn()) {
        const most = Math.min(size.next, left);
        const rows = select(direction, after, Number.MAX_SAFE_INTEGER, most, categories);
        if (rows.length > 0) yield toEvents(rows);
        if (rows.length < most) return;
        size.saw(rows, contentOf);
        left -= rows.length;
        after = rows.at(-1)![0];
      }
    },

    subscribe: async function* (options: SubscribeOptions): AsyncGenerator<EventBatch> {
      const { batchSize = MOST_ROWS, categories, signal } = options;
      const size = new PageSize(batchSize);
      for (let after = options.after; !signal.aborted;) {
        const mark = database.commits.mark();
        // Read before the page: what is beyond it may be there or not when the page is read, and is left to the next.
        const end = head();
        if (end <= after) {
          await database.commits.after(mark, { signal });
          continue;
        }
        const most = size.next;
        const rows = select('forwards', after, end, most, categories);
        size.saw(rows, contentOf);
        after = rows.length < most ? end : rows.at(-1)![0];
        yield { events: toEvents(rows), position: after };
        await turn();
      }
    },
  };
}
