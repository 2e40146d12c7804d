import { setImmediate as turn } from 'node:timers/promises';
import type { Position } from '../../../../contracts/position';
import type { Database } from '../../sqlite/database';
import { AdaptivePageSize } from '../../sqlite/adaptive-page-size';
import type {
  EventBatch,
  ReadAllOptions,
  ReadStreamOptions,
  RecordedEvent,
  SubscribeOptions,
} from '../../../../contracts/ports/event-store';
import { categoryOf } from '../../../../contracts/category';
import { contentLength, type DecodedPage, type EventRow, toEvents } from './event-rows';
import { readAllSql, readCategoriesSql, HEAD_SQL, readStreamSql } from './read-queries';
import { createTail, MAX_TAIL_EVENTS } from './tail';

type Direction = NonNullable<ReadAllOptions['direction']>;

const MAX_ROWS = 1000;

type Page = DecodedPage & { readonly position: Position };

/** Reads in pages, and yields to the event loop between two pages. Throws `DamagedData` at a damaged event, after those before it. */
export function createReader(database: Database) {
  const head = (): Position => database.prepare<[number | null]>(HEAD_SQL).get()![0] ?? -1;

  const select = (
    direction: Direction,
    after: Position,
    until: Position,
    maxRows: number,
    categories: readonly string[] | undefined,
  ): EventRow[] => {
    if (!categories) return database.prepare<EventRow>(readAllSql(direction)).all([after, until, maxRows]);
    const names = [...new Set(categories)];
    if (names.length === 0) return [];
    return database
      .prepare<EventRow>(readCategoriesSql(direction, names.length))
      .all([after, until, maxRows, ...names]);
  };

  const tail = createTail((after, until) =>
    toEvents(select('forwards', after, until, MAX_TAIL_EVENTS, undefined)),
  );
  /** What a subscription that has reached the end of the store reads next; null where it has to read the file. */
  const newest = (
    after: Position,
    until: Position,
    maxRows: number,
    categories: ReadonlySet<string> | undefined,
  ): RecordedEvent[] | null => {
    const events = tail.between(after, until);
    if (!events) return null;
    const wanted = categories ? events.filter(({ stream }) => categories.has(categoryOf(stream))) : events;
    return wanted.length <= maxRows ? wanted : null;
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
      const size = new AdaptivePageSize(MAX_ROWS);
      for (let left = limit; left > 0; await turn()) {
        const maxRows = Math.min(size.next, left);
        const rows = database.prepare<EventRow>(readStreamSql(direction)).all([stream, from, maxRows]);
        const { events, damaged } = toEvents(rows);
        yield* events;
        if (damaged) throw damaged;
        if (rows.length < maxRows) return;
        size.update(rows, contentLength);
        left -= rows.length;
        from = rows.at(-1)![1] + step;
      }
    },

    readAll: async function* (options: ReadAllOptions = {}): AsyncGenerator<RecordedEvent[]> {
      const { direction = 'forwards', limit = Infinity, categories } = options;
      let after = options.after ?? (direction === 'forwards' ? -1 : Number.MAX_SAFE_INTEGER);
      const size = new AdaptivePageSize(MAX_ROWS);
      for (let left = limit; left > 0; await turn()) {
        const maxRows = Math.min(size.next, left);
        const rows = select(direction, after, Number.MAX_SAFE_INTEGER, maxRows, categories);
        const { events, damaged } = toEvents(rows);
        if (events.length > 0) yield events;
        if (damaged) throw damaged;
        if (rows.length < maxRows) return;
        size.update(rows, contentLength);
        left -= rows.length;
        after = rows.at(-1)![0];
      }
    },

    subscribe: async function* (options: SubscribeOptions): AsyncGenerator<EventBatch> {
      const { batchSize = MAX_ROWS, categories, signal } = options;
      const wanted = categories && new Set(categories);
      const size = new AdaptivePageSize(batchSize);
      const readPage = (after: Position, end: Position): Page => {
        const maxRows = size.next;
        const rows = select('forwards', after, end, maxRows, categories);
        size.update(rows, contentLength);
        return { ...toEvents(rows), position: rows.length < maxRows ? end : rows.at(-1)![0] };
      };
      let hasReachedEnd = false;
      for (let after = options.after; !signal.aborted;) {
        const mark = database.commits.recentMark();
        // It fails once the file is closed, which ends the subscription. Read before the page: events beyond it may be committed while
        // the page is read, and are left to the next one.
        const end = head();
        if (end <= after) {
          hasReachedEnd = true;
          await database.commits.after(mark, { signal });
          continue;
        }
        const found: RecordedEvent[] | null = hasReachedEnd ? newest(after, end, batchSize, wanted) : null;
        const { events, damaged, position }: Page = found
          ? { events: found, damaged: null, position: end }
          : readPage(after, end);
        after = position;
        hasReachedEnd = position === end;
        if (!damaged) yield { events, position: after };
        else {
          const last = events.at(-1);
          if (last) yield { events, position: last.position };
          throw damaged;
        }
        await turn();
      }
    },
  };
}
