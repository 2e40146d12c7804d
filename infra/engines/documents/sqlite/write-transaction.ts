import { isDeepStrictEqual } from 'node:util';
import {
  type Checkpoint,
  CheckpointMoved,
  type CollectionSpec,
  type DeclareOptions,
} from '../../../../contracts/ports/documents';
import type { Database } from '../../sqlite/database';
import { withChecksum } from '../../sqlite/checksum';
import { sameFields } from '../collection-spec';
import type { Collection } from '../collection';
import type { Catalog } from './catalog';
import { recordChange } from './change-notifier';
import { updateCounters } from './counters';
import { declarationSteps } from './declare';
import type { EncodedCommit, EncodedPuts, EncodedWrites } from './encode';
import { checkedColumn, readText } from './stored-text';
import { columnOf, quoted } from './tables';
import { readJson } from '../../../../contracts/json/read-json';

/** The work of one transaction, which may run in another thread. */
export type WriteTask =
  | { readonly commits: readonly EncodedCommit[] }
  | { readonly declare: CollectionSpec; readonly options: DeclareOptions; readonly step: number };

/** The collection has other fields than when the commit was encoded: it must be encoded again. */
export class StaleEncoding extends Error {
  override readonly name = 'StaleEncoding';
}

const PUT_CHECKPOINT =
  'INSERT INTO _checkpoints VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value';
const DELETE_CHECKPOINT = 'DELETE FROM _checkpoints WHERE name = ?';
const READ_CHECKPOINT = `SELECT ${checkedColumn('value')} FROM _checkpoints WHERE name = ?`;

/** @throws DamagedData */
export function readCheckpoint(db: Database, name: string): Checkpoint | null {
  const row = db.prepare<[Buffer]>(READ_CHECKPOINT).get([name]);
  return row ? (readJson(readText(row[0], `checkpoint ${name}`)) as Checkpoint) : null;
}

/**
 * To be called inside a transaction.
 * @returns the number of its last commit with writes; null when it has none
 * @throws CheckpointMoved, UnknownCollection, StaleEncoding, and what SQLite throws
 */
export function execute(db: Database, catalog: Catalog, task: WriteTask): number | null {
  let last: number | null = null;
  if ('commits' in task) for (const each of task.commits) last = commit(db, catalog, each) ?? last;
  else declarationSteps(db, catalog, task.declare, task.options)[task.step]!();
  return last;
}

const commit = (db: Database, catalog: Catalog, { groups, checkpoint }: EncodedCommit): number | null => {
  if (checkpoint?.expect !== undefined) {
    const { name, expect } = checkpoint;
    if (!isDeepStrictEqual(readCheckpoint(db, name), expect)) throw new CheckpointMoved(name);
  }
  catalog.refresh();
  const collections = groups.map(({ collection }) => collection);
  const version = groups.length > 0 ? recordChange(db, collections) : null;
  for (const group of groups) {
    const collection = catalog.collection(group.collection);
    if (!group.fields || !sameFields(group.fields, collection.fields))
      throw new StaleEncoding(collection.name);
    write(db, collection, group, version!);
  }
  if (checkpoint) store(db, checkpoint);
  return version;
};

const store = (db: Database, { name, value }: NonNullable<EncodedCommit['checkpoint']>): void => {
  if (value === null) db.prepare(DELETE_CHECKPOINT).run([name]);
  else db.prepare(PUT_CHECKPOINT).run([name, withChecksum(JSON.stringify(value))]);
};

/** One statement for each run of puts or deletions, and two for each set of fields that is counted. */
const write = (db: Database, collection: Collection, { ids, runs }: EncodedWrites, version: number): void => {
  updateCounters(db, collection, ids, -1);
  for (const run of runs)
    if (typeof run === 'string') remove(db, collection, run);
    else put(db, collection, run, version);
  updateCounters(db, collection, ids, 1);
};

const put = (db: Database, collection: Collection, { rows, bodies }: EncodedPuts, version: number): void => {
  db.prepare(upsertSql(collection)).run([rows, bodies, version]);
};

const remove = (db: Database, { name }: Collection, ids: string): void => {
  db.prepare(`DELETE FROM ${quoted(name)} WHERE id IN (SELECT value FROM json_each(?))`).run([ids]);
};

const upsertSql = ({ name, fields }: Collection): string => {
  const columns = fields.map(columnOf);
  const n = columns.length;
  const [id, ...values] = [...columns.keys(), n].map(i => `value ->> ${i}`);
  return `INSERT INTO ${quoted(name)} (${['id', 'version', ...columns, 'body'].join(', ')})
    SELECT ${[id, '?3', ...values].join(', ')}, CAST(substr(?2, value ->> ${n + 1}, value ->> ${n + 2}) AS TEXT)
    FROM json_each(?1) WHERE true
    ON CONFLICT (id) DO UPDATE SET ${['version', ...columns, 'body'].map(column => `${column} = excluded.${column}`).join(', ')}`;
};
