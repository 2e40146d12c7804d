import { categoryOf } from '../../../../contracts/category';
import type { Database } from '../../sqlite/database';
import { text } from '../../sqlite/statement';

/** The end of a stream. `revision` is -1 as long as it has no event. */
export interface StreamHead {
  readonly id: number;
  readonly category: number;
  revision: number;
}

/**
 * The heads of the streams that the writer appends to, cached between transactions as long as no other connection
 * writes. All methods must be called inside a transaction.
 */
export interface StreamHeads {
  /** Drops the cache when another connection has written, and loads those of the streams that are not cached. */
  load(streams: readonly string[]): void;
  /** The head of a stream that was passed to `load`, if the stream exists. */
  find(stream: string): StreamHead | undefined;
  /** The same, but creates a missing stream. */
  findOrCreate(stream: string): StreamHead;
  /** Position of the next event. */
  nextPosition: number;
  /** When the last event was created, in milliseconds. */
  lastCreated: number;
  /** Drops the cache, as after a transaction that was rolled back. */
  clear(): void;
}

const MAX_CACHED_STREAMS = 100_000;

export function createStreamHeads(database: Database): StreamHeads {
  const heads = new Map<string, StreamHead>();
  const categories = new Map<string, number>();
  let version: number | null = null;

  const selectEnds = database.prepare<[number, number, number]>(
    `SELECT coalesce((SELECT max(position) FROM events), -1), coalesce((SELECT max(id) FROM streams), 0),
       coalesce((SELECT created FROM events WHERE position = (SELECT max(position) FROM events)), 0)`,
  );
  const selectHeads = database.prepare<[string, number, number, number]>(
    `SELECT ${text('s.name')}, s.id, s.category, (SELECT max(revision) FROM events WHERE stream = s.id)
     FROM json_each(?) AS wanted CROSS JOIN streams AS s ON s.name = wanted.value`,
  );
  const addStream = database.prepare('INSERT INTO streams (id, name, category) VALUES (?, ?, ?)');
  const findCategory = database.prepare<[number]>('SELECT id FROM categories WHERE name = ?');
  const addCategory = database.prepare<[number]>('INSERT INTO categories (name) VALUES (?) RETURNING id');
  let lastStream = 0;

  const clear = (): void => {
    heads.clear();
    categories.clear();
    version = null;
  };
  const category = (name: string): number => {
    const known = categories.get(name);
    if (known !== undefined) return known;
    const [id] = findCategory.get([name]) ?? addCategory.get([name])!;
    categories.set(name, id);
    return id;
  };
  const create = (stream: string): StreamHead => {
    const head = { id: (lastStream += 1), category: category(categoryOf(stream)), revision: -1 };
    addStream.run([head.id, stream, head.category]);
    heads.set(stream, head);
    return head;
  };

  const self: StreamHeads = {
    nextPosition: 0,
    lastCreated: 0,
    load: streams => {
      const { others } = database.commits.mark();
      if (others !== version || heads.size > MAX_CACHED_STREAMS) {
        clear();
        const [position, stream, created] = selectEnds.get()!;
        self.nextPosition = position + 1;
        self.lastCreated = created;
        lastStream = stream;
        version = others;
      }
      const unknown = streams.filter(stream => !heads.has(stream));
      if (unknown.length === 0) return;
      for (const [name, id, categoryId, revision] of selectHeads.all([JSON.stringify(unknown)]))
        heads.set(name, { id, category: categoryId, revision });
    },
    find: stream => heads.get(stream),
    findOrCreate: stream => heads.get(stream) ?? create(stream),
    clear,
  };
  return self;
}
