import type { Database } from '../../sqlite/database';
import type { Document, Unlike } from '../../../../contracts/ports/documents';
import { quoted } from './layout';

const PAGE = 2_000;

/**
 * Holds two collections side by side, a page of rows at a time and without parsing. In the order of insertion: two
 * collections that were filled alike are then both read from beginning to end, not back and forth.
 */
export function* differing(db: Database, left: string, right: string): Generator<Unlike> {
  const [a, b] = [quoted(left), quoted(right)];
  yield* walk(
    db,
    left,
    `SELECT 1 FROM ${b} AS other WHERE other.id = row.id AND other.body = row.body`,
    false,
  );
  yield* walk(db, right, `SELECT 1 FROM ${a} AS other WHERE other.id = row.id`, true);
}

function* walk(db: Database, collection: string, counterpart: string, counted: boolean): Generator<Unlike> {
  const table = quoted(collection);
  const ends = db.prepare<[number | null, number]>(
    `SELECT max(at), count(*) FROM (SELECT rowid AS at FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${PAGE})`,
  );
  const unlike = db.prepare<[string]>(
    `SELECT body FROM ${table} AS row WHERE rowid > ? AND rowid <= ? AND NOT EXISTS (${counterpart})`,
  );
  for (let after = 0; ;) {
    const [end, rows] = ends.get([after])!;
    if (end === null) return;
    yield { ids: unlike.all([after, end]).map(idIn), documents: counted ? rows : 0 };
    after = end;
  }
}

const idIn = ([body]: [string]): string => (JSON.parse(body) as Document)._id;
