import {
  type AnyBulkWriteOperation,
  type ClientSession,
  type Db,
  type MongoClient,
  MongoInvalidArgumentError,
  type TransactionOptions,
} from 'mongodb';
import type { Commit, Write } from '../../../../contracts/ports/documents';
import { fieldOf } from '../scalars';
import { validateWrites } from '../validate-writes';
import type { Catalog, Collection } from './catalog';
import type { Checkpoints } from './checkpoints';
import { findByIds } from './collection-reads';
import { changeCounters, counterChangesOf, type CounterChange } from './counters';
import { MAJORITY } from './durability';
import { type StoredDocument, toStored } from './stored-document';

const TRANSACTION: TransactionOptions = { readConcern: { level: 'snapshot' }, writeConcern: MAJORITY };

/** Of commits without a checkpoint, which may change one counter at the same time: one of them is repeated then. */
const NO_CHECKPOINT = '';

interface Deps {
  readonly client: MongoClient;
  readonly db: Db;
  readonly catalog: Catalog;
  readonly checkpoints: Checkpoints;
}

/**
 * A commit is one transaction of the server, which the driver repeats when it lost to another one, or when its outcome is
 * unknown. With a checkpoint alone it is one write.
 * @throws CheckpointMoved, UnknownCollection, errors of the driver
 */
export async function commit(deps: Deps, { writes, checkpoint }: Commit): Promise<void> {
  validateWrites(writes);
  if (writes.length === 0) return checkpoint && deps.checkpoints.move(checkpoint);
  const byCollection = new Map<string, Write[]>();
  for (const write of writes) {
    const own = byCollection.get(write.collection);
    if (own) own.push(write);
    else byCollection.set(write.collection, [write]);
  }
  await deps.client.withSession(session =>
    session.withTransaction(async () => {
      if (checkpoint) await deps.checkpoints.move(checkpoint, session);
      const collections = await deps.catalog.fresh(byCollection.keys(), session);
      const changes: CounterChange[] = [];
      for (const [name, own] of byCollection) {
        const collection = collections.get(name)!;
        checkIndexable(collection, own);
        changes.push(...(await counterChanges(deps.db, collection, own, checkpoint?.name, session)));
        await writeAll(deps.db, collection, own, session);
      }
      await changeCounters(deps.db, changes, session);
    }, TRANSACTION),
  );
}

/** @throws TypeError when a document cannot be indexed */
function checkIndexable({ fields }: Collection, writes: readonly Write[]): void {
  for (const { document } of writes) if (document) for (const field of fields) fieldOf(document, field);
}

async function counterChanges(
  db: Db,
  collection: Collection,
  writes: readonly Write[],
  writer: string = NO_CHECKPOINT,
  session: ClientSession,
): Promise<CounterChange[]> {
  if (collection.counts.length === 0) return [];
  const projection = Object.fromEntries(['_id', ...collection.counts.flat()].map(field => [field, 1]));
  const ids = writes.map(({ id }) => id);
  const before = await findByIds(db, collection.name, ids, { projection, session });
  const changed = writes.map(({ id, document }) => [before.get(id) ?? null, document] as const);
  return counterChangesOf(collection, writer, changed);
}

/** In their order where an index is unique: one may free a value that a later one takes. */
async function writeAll(
  db: Db,
  { name, indexes }: Collection,
  writes: readonly Write[],
  session: ClientSession,
): Promise<void> {
  const operations = writes.map(({ id, document }): AnyBulkWriteOperation<StoredDocument> => {
    const filter = { _id: id };
    if (!document) return { deleteOne: { filter } };
    return { replaceOne: { filter, replacement: toStored(document), upsert: true } };
  });
  const ordered = indexes.some(({ unique }) => unique);
  try {
    await db.collection<StoredDocument>(name).bulkWrite(operations, { ordered, session });
  } catch (error) {
    throw error instanceof MongoInvalidArgumentError ? new TypeError(`${name}: ${error.message}`) : error;
  }
}
