import type { Mismatch } from '../../../../contracts/ports/documents';
import type { Database } from '../../sqlite/database';
import { documentIn } from '../body';
import { checkedColumn, readText } from './stored-text';
import { quoted } from './tables';

const PAGE = 2_000;

/**
 * Compares two collections page by page, without parsing. In the order of insertion, so that two collections that were
 * filled in the same order are both read sequentially.
 */
export function* diff(db: Database, left: string, right: string): Generator<Mismatch> {
  const [a, b] = [quoted(left), quoted(right)];
  const equal = `SELECT 1 FROM ${b} AS other WHERE other.id = row.id AND other.body = row.body`;
  yield* rowsWithout(db, left, equal, false);
  yield* rowsWithout(db, right, `SELECT 1 FROM ${a} AS other WHERE other.id = row.id`, true);
}

function* rowsWithout(
  db: Database,
  collection: string,
  counterpart: string,
  counted: boolean,
): Generator<Mismatch> {
  const table = quoted(collection);
  const nextPage = db.prepare<[number | null, number]>(
    `SELECT max(at), count(*) FROM (SELECT rowid AS at FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${PAGE})`,
  );
  const mismatches = db.prepare<[Buffer]>(
    `SELECT ${checkedColumn('body')} FROM ${table} AS row WHERE rowid > ? AND rowid <= ? AND NOT EXISTS (${counterpart})`,
  );
  for (let after = 0; ;) {
    const [end, rows] = nextPage.get([after])!;
    if (end === null) return;
    yield {
      ids: mismatches
        .all([after, end])
        .map(([body]) => documentIn(readText(body, `a document of ${collection}`))._id),
      documents: counted ? rows : 0,
    };
    after = end;
  }
}
