import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../../sqlite/database';
import {
  type Checkpoint,
  CheckpointMoved,
  type CollectionSpec,
  type DeclareOptions,
} from '../../../../contracts/ports/documents';
import { sameFields } from '../specs';
import type { Catalog } from './catalog';
import { recordChange } from './changes';
import { declarationSteps } from './declare';
import type { EncodedCommit } from './encode';
import { writeAll } from './write';

/** What is done in one transaction, and may be done by another thread. */
export type Task =
  | { readonly commits: readonly EncodedCommit[] }
  | { readonly declare: CollectionSpec; readonly options: DeclareOptions; readonly step: number };

/** The commit was encoded for a layout that the collection no longer has: it has to be encoded anew. */
export class StaleLayout extends Error {
  override readonly name = 'StaleLayout';
}

export function readCheckpoint(db: Database, name: string): Checkpoint | null {
  const row = db.prepare<[string]>('SELECT value FROM _checkpoints WHERE name = ?').get([name]);
  return row ? (JSON.parse(row[0]) as Checkpoint) : null;
}

/**
 * Does a task inside a transaction.
 * @throws CheckpointMoved, UnknownCollection, StaleLayout, and what SQLite throws
 */
export function perform(db: Database, catalog: Catalog, task: Task): void {
  if ('commits' in task) for (const each of task.commits) commit(db, catalog, each);
  else declarationSteps(db, catalog, task.declare, task.options)[task.step]!();
}

const commit = (db: Database, catalog: Catalog, { groups, checkpoint }: EncodedCommit): void => {
  if (checkpoint?.expect !== undefined) {
    const { name, expect } = checkpoint;
    if (!isDeepStrictEqual(readCheckpoint(db, name), expect)) throw new CheckpointMoved(name);
  }
  catalog.refresh();
  for (const group of groups) {
    const collection = catalog.collection(group.collection);
    if (!group.fields || !sameFields(group.fields, collection.fields)) throw new StaleLayout(collection.name);
    writeAll(db, collection, group);
  }
  if (groups.length > 0)
    recordChange(
      db,
      groups.map(({ collection }) => collection),
    );
  if (checkpoint)
    db.prepare('INSERT OR REPLACE INTO _checkpoints VALUES (?, ?)').run([
      checkpoint.name,
      JSON.stringify(checkpoint.value),
    ]);
};
