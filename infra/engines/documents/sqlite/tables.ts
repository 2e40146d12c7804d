import type { IndexSpec } from '../../../../contracts/ports/documents';
import { type OrderTerm, orderOf } from '../query-plan';

/** An SQL identifier. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Each indexed field has a column, named by its JSON path: SQL never reads from a body. */
export function columnOf(field: string): string {
  return field === '_id' ? 'id' : quoted(`$.${field}`);
}

const show = (terms: readonly OrderTerm[]): string => terms.map(term => term.join(' ')).join(', ');

/** Tables and indexes share one namespace; the name of a collection has no space. */
export function indexName(collection: string, spec: IndexSpec | null): string {
  return quoted(spec ? `${collection} by ${show(orderOf(spec))}` : `sqlite_autoindex_${collection}_1`);
}

export function countersTable(collection: string): string {
  return quoted(`${collection} counters`);
}

export function createTable(collection: string, fields: readonly string[]): string {
  return `
  CREATE TABLE ${quoted(collection)} (
    rowid INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    version INTEGER NOT NULL,
    ${fields.map(field => `${columnOf(field)},`).join('\n    ')}
    body TEXT NOT NULL
  );
  CREATE TABLE ${countersTable(collection)} (
    fields TEXT NOT NULL,
    key TEXT NOT NULL,
    documents INTEGER NOT NULL,
    PRIMARY KEY (fields, key)
  ) WITHOUT ROWID`;
}

export function dropTable(collection: string): string {
  return `DROP TABLE ${quoted(collection)}; DROP TABLE ${countersTable(collection)}`;
}

const createOrdered = (collection: string, spec: IndexSpec): string =>
  `CREATE INDEX IF NOT EXISTS ${indexName(collection, spec)} ON ${quoted(collection)}
    (${orderOf(spec)
      .map(([field, direction]) => `${columnOf(field)} ${direction}`)
      .join(', ')})`;

/** In SQLite two NULLs are distinct; in MongoDB, and so here, they are equal. */
const createUnique = (collection: string, { fields }: IndexSpec): string =>
  `CREATE UNIQUE INDEX ${quoted(`${collection} unique ${show(fields)}`)} ON ${quoted(collection)}
    (${fields.map(([field]) => `ifnull(${columnOf(field)}, x'')`).join(', ')})`;

export function createIndex(collection: string, spec: IndexSpec): string {
  return [createOrdered(collection, spec), ...(spec.unique ? [createUnique(collection, spec)] : [])].join(
    ';\n',
  );
}
