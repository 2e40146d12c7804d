import type { Database } from '../../sqlite/database';
import type { Counted, Scalar } from '../../../../contracts/ports/documents';
import { countedBy, partsOf } from '../collection-spec';
import type { Collection } from '../collection';
import { keyOf } from './index-keys';
import { columnOf, countersTable, quoted } from './tables';

/** One text for several values: `quote` distinguishes numbers from text and escapes the separator. */
const keySql = (values: readonly string[]): string =>
  values.map(value => `quote(${value})`).join(` || ',' || `) || `''`;

const amountSql = (sumOf: string | null): string =>
  sumOf === null ? 'count(*)' : `ifnull(sum(${columnOf(sumOf)}), 0)`;

/** The column is called as when only documents were counted. */
const UPSERT = 'ON CONFLICT DO UPDATE SET documents = documents + excluded.documents';

/** Subtracts the documents with these ids from the counters (-1) before they are written, or adds them (1) afterwards. */
export function updateCounters(db: Database, { name, counts }: Collection, ids: string, sign: 1 | -1): void {
  for (const counted of counts) {
    const { by, sumOf } = partsOf(counted);
    db.prepare(
      `INSERT INTO ${countersTable(name)}
        SELECT ?, ${keySql(by.map(columnOf))}, ${sign} * ${amountSql(sumOf)}
        FROM json_each(?) AS touched CROSS JOIN ${quoted(name)} AS document ON document.id = touched.value
        WHERE true GROUP BY 2 ${UPSERT}`,
    ).run([JSON.stringify(counted), ids]);
  }
}

/** Counts the existing documents. */
export function countAll(db: Database, name: string, counted: Counted): void {
  const { by, sumOf } = partsOf(counted);
  db.prepare(
    `INSERT INTO ${countersTable(name)}
      SELECT ?, ${keySql(by.map(columnOf))}, ${amountSql(sumOf)} FROM ${quoted(name)} WHERE true GROUP BY 2 ${UPSERT}`,
  ).run([JSON.stringify(counted)]);
}

/** @param sumOf as of `countedBy` @throws UnanswerableQuery when that is not declared */
export function countOf(
  db: Database,
  collection: Collection,
  equals: Readonly<Record<string, Scalar>>,
  sumOf: string | null = null,
): number {
  const { counted, fields } = countedBy(collection, equals, sumOf);
  const row = db
    .prepare<[number]>(
      `SELECT documents FROM ${countersTable(collection.name)} WHERE fields = ? AND key = ${keySql(fields.map(() => '?'))}`,
    )
    .get([JSON.stringify(counted), ...fields.map(field => keyOf(equals[field]!))]);
  return row?.[0] ?? 0;
}
