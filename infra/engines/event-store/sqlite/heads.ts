import type { Database } from '../../sqlite/database';

/** Where a stream ends. `revision` is -1 as long as it has no event. */
export interface Head {
  readonly id: number;
  readonly category: number;
  revision: number;
}

/**
 * What the writer has to know of the streams it appends to, remembered between transactions as long as nobody else
 * has written. All methods belong inside a transaction.
 */
export interface Heads {
  /** Forgets what another process may have changed, and looks up those of the streams that are not known. */
  prepare(streams: readonly string[]): void;
  /** The head of a stream named to `prepare`, if there is such a stream. */
  find(stream: string): Head | undefined;
  /** The same, but creates the stream. */
  open(stream: string): Head;
  /** Position of the next event. */
  next: number;
  forget(): void;
}

const MOST_REMEMBERED = 100_000;

/** The part before the first `-`. */
const categoryOf = (stream: string): string => stream.split('-', 1)[0]!;

export function createHeads(database: Database): Heads {
  const heads = new Map<string, Head>();
  const categories = new Map<string, number>();
  let version: number | null = null;

  const ends = database.prepare<[number, number]>(
    'SELECT coalesce((SELECT max(position) FROM events), -1), coalesce((SELECT max(id) FROM streams), 0)',
  );
  const lookUp = database.prepare<[string, number, number, number]>(
    `SELECT s.name, s.id, s.category, (SELECT max(revision) FROM events WHERE stream = s.id)
     FROM json_each(?) AS wanted CROSS JOIN streams AS s ON s.name = wanted.value`,
  );
  const addStream = database.prepare('INSERT INTO streams (id, name, category) VALUES (?, ?, ?)');
  const findCategory = database.prepare<[number]>('SELECT id FROM categories WHERE name = ?');
  const addCategory = database.prepare<[number]>('INSERT INTO categories (name) VALUES (?) RETURNING id');
  let lastStream = 0;

  const forget = (): void => {
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
  const create = (stream: string): Head => {
    const head = { id: (lastStream += 1), category: category(categoryOf(stream)), revision: -1 };
    addStream.run([head.id, stream, head.category]);
    heads.set(stream, head);
    return head;
  };

  const self: Heads = {
    next: 0,
    prepare: streams => {
      const { others } = database.commits.mark();
      if (others !== version || heads.size > MOST_REMEMBERED) {
        forget();
        const [position, stream] = ends.get()!;
        self.next = position + 1;
        lastStream = stream;
        version = others;
      }
      const unknown = streams.filter(stream => !heads.has(stream));
      if (unknown.length === 0) return;
      for (const [name, id, kind, revision] of lookUp.all([JSON.stringify(unknown)]))
        heads.set(name, { id, category: kind, revision });
    },
    find: stream => heads.get(stream),
    open: stream => heads.get(stream) ?? create(stream),
    forget,
  };
  return self;
}
