import type { Database } from '../../sqlite/database';
import { type Scalar, UnanswerableQuery } from '../../../../contracts/ports/documents';
import { isScalar } from '../scalars';
import { sameFields } from '../collection-spec';
import type { Collection } from './catalog';
import { keyOf } from './index-keys';
import { columnOf, countersTable, quoted } from './tables';

/** One text for several values: `quote` distinguishes numbers from text and escapes the separator. */
const keySql = (values: readonly string[]): string =>
  values.map(value => `quote(${value})`).join(` || ',' || `) || `''`;

const UPSERT = 'ON CONFLICT DO UPDATE SET documents = documents + excluded.documents';

/** Subtracts the documents with these ids from the counters (-1) before they are written, or adds them (1) afterwards. */
export function updateCounters(db: Database, { name, counts }: Collection, ids: string, sign: 1 | -1): void {
  for (const fields of counts)
    db.prepare(
      `INSERT INTO ${countersTable(name)}
        SELECT ?, ${keySql(fields.map(columnOf))}, ${sign} * count(*)
        FROM json_each(?) AS touched CROSS JOIN ${quoted(name)} AS document ON document.id = touched.value
        WHERE true GROUP BY 2 ${UPSERT}`,
    ).run([JSON.stringify(fields), ids]);
}

/** Counts the existing documents. */
export function countAll(db: Database, name: string, fields: readonly string[]): void {
  db.prepare(
    `INSERT INTO ${countersTable(name)}
      SELECT ?, ${keySql(fields.map(columnOf))}, count(*) FROM ${quoted(name)} WHERE true GROUP BY 2 ${UPSERT}`,
  ).run([JSON.stringify(fields)]);
}

/** @throws UnanswerableQuery when these fields are not counted */
export function countOf(
  db: Database,
  { name, counts }: Collection,
  equals: Readonly<Record<string, Scalar>>,
): number {
  const fields = Object.keys(equals).sort();
  if (!Object.values(equals).every(isScalar)) throw new UnanswerableQuery('only scalars can be counted by');
  if (!counts.some(counted => sameFields(counted, fields)))
    throw new UnanswerableQuery(`collection ${name} does not count (${fields.join(', ')})`);
  const row = db
    .prepare<[number]>(
      `SELECT documents FROM ${countersTable(name)} WHERE fields = ? AND key = ${keySql(fields.map(() => '?'))}`,
    )
    .get([JSON.stringify(fields), ...fields.map(field => keyOf(equals[field]!))]);
  return row?.[0] ?? 0;
}
