import type { Database } from '../../sqlite/database';
import type {
  CollectionSpec,
  Counted,
  DeclareOptions,
  IndexSpec,
} from '../../../../contracts/ports/documents';
import { documentIn } from '../body';
import { fieldOf } from '../scalars';
import { fieldsOf, normalized } from '../collection-spec';
import { type Collection, hasCount, hasFields, hasIndex, missingParts } from '../collection';
import type { Catalog } from './catalog';
import { countAll } from './counters';
import { keyJson, keyOf } from './index-keys';
import { checkedColumn, readText } from './stored-text';
import { columnOf, createIndex, createTable, quoted } from './tables';

const PAGE = 1_000;

/** Fills a new column of a table that has documents. */
const backfill = (db: Database, name: string, field: string): void => {
  const page = db.prepare<[number, Buffer]>(
    `SELECT rowid, ${checkedColumn('body')} FROM ${quoted(name)} WHERE rowid > ? ORDER BY rowid LIMIT ${PAGE}`,
  );
  const fill = db.prepare(
    `UPDATE ${quoted(name)} SET ${columnOf(field)} = row.value ->> 1
      FROM json_each(?) AS row WHERE ${quoted(name)}.rowid = row.value ->> 0`,
  );
  for (let after = 0, rows = page.all([after]); rows.length > 0; rows = page.all([after])) {
    const keys = rows.map(([row, body]) => {
      const key = keyJson(keyOf(fieldOf(documentIn(readText(body, `a document of ${name}`)), field)));
      return `[${row},${key}]`;
    });
    fill.run([`[${keys.join(',')}]`]);
    after = rows.at(-1)![0];
  }
};

const addFields = (db: Database, { name, fields }: Collection, wanted: readonly string[]): void => {
  for (const field of wanted.filter(field => !fields.includes(field))) {
    db.exec(`ALTER TABLE ${quoted(name)} ADD COLUMN ${columnOf(field)}`);
    backfill(db, name, field);
  }
};

/**
 * Creates the collections that do not exist, whole: without documents there is nothing to index or to count. One transaction for
 * all of them, since a first start declares over a hundred and each commit waits for the disk. To be called inside of it.
 */
export function createMissing(
  db: Database,
  catalog: Catalog,
  specs: readonly CollectionSpec[],
  options: DeclareOptions,
): void {
  catalog.refresh();
  const missing = new Map(specs.map(spec => [spec.name, spec]));
  for (const [name, spec] of missing) {
    if (catalog.find(name)) continue;
    const parts = missingParts(undefined, spec, options);
    db.exec(createTable(name, parts.fields));
    for (const index of parts.indexes) db.exec(createIndex(name, index));
    catalog.save({ name, ...parts });
  }
}

/**
 * The transactions that extend a collection, one for each index, so that none holds the write lock for long. Each checks what
 * is left to do, since another process may be declaring the same collection.
 */
export function declarationSteps(
  db: Database,
  catalog: Catalog,
  spec: CollectionSpec,
  { deferIndexes = false }: DeclareOptions,
): (() => void)[] {
  const { name, indexes, counts = [] } = spec;
  const fields = fieldsOf(spec);

  const columns = (): void => {
    catalog.refresh();
    const collection = catalog.collection(name);
    if (hasFields(collection, fields)) return;
    addFields(db, collection, fields);
    catalog.save({ ...collection, fields: [...new Set([...collection.fields, ...fields])] });
  };
  const index = (wanted: IndexSpec) => (): void => {
    catalog.refresh();
    const collection = catalog.collection(name);
    if (hasIndex(collection, wanted)) return;
    db.exec(createIndex(name, wanted));
    catalog.save({ ...collection, indexes: [...collection.indexes, wanted] });
  };
  const counter = (wanted: Counted) => (): void => {
    catalog.refresh();
    const collection = catalog.collection(name);
    if (hasCount(collection, wanted)) return;
    countAll(db, name, wanted);
    catalog.save({ ...collection, counts: [...collection.counts, wanted] });
  };
  return deferIndexes
    ? [columns]
    : [columns, ...indexes.map(index), ...counts.map(each => counter(normalized(each)))];
}
