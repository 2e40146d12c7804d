import {
  type AnyBulkWriteOperation,
  BSON,
  type ClientSession,
  type Db,
  MongoInvalidArgumentError,
} from 'mongodb';
import type { Commit, Document, Write } from '../../../../contracts/ports/documents';
import { findByIds } from '../../mongodb/reads';
import { inTransaction } from '../../mongodb/transaction';
import type { Collection } from '../collection';
import { countedFields } from '../collection-spec';
import { fieldOf } from '../scalars';
import { validateWrites } from '../validate-writes';
import { writesByCollection } from '../writes-by-collection';
import { readCollections } from './catalog';
import { moveCheckpoint } from './checkpoints';
import { changeCounters, counterChangesOf } from './counters';
import { fromStored, type StoredDocument, toStored } from './stored-document';

/** Of commits without a checkpoint, which may change one counter at the same time: one of them is repeated then. */
const NO_CHECKPOINT = '';

/**
 * A commit is one transaction of the server. With a checkpoint alone it is one write.
 * @param signal fires when the caller has given up
 * @throws CheckpointMoved, UnknownCollection, errors of the driver
 */
export async function commit(db: Db, { writes, checkpoint }: Commit, signal: AbortSignal): Promise<void> {
  validateWrites(writes);
  if (writes.length === 0) return checkpoint && moveCheckpoint(db, checkpoint);
  const groups = writesByCollection(writes);
  const write = async (session: ClientSession): Promise<void> => {
    if (checkpoint) await moveCheckpoint(db, checkpoint, { session });
    const changes = [];
    for (const collection of await readCollections(db, [...groups.keys()], session)) {
      signal.throwIfAborted();
      const own = groups.get(collection.name)!;
      checkIndexable(collection, own);
      const before = await replacedBy(db, collection, own, session);
      const after = own.flatMap(({ document }) => document ?? []);
      changes.push(...counterChangesOf(collection, checkpoint?.name ?? NO_CHECKPOINT, before, after));
      await writeAll(db, collection, own, session);
    }
    await changeCounters(db, changes, session);
  };
  await inTransaction(db.client, write, signal);
}

type Operation = AnyBulkWriteOperation<StoredDocument>;

/** @throws TypeError when a document cannot be indexed */
function checkIndexable({ fields }: Collection, writes: readonly Write[]): void {
  for (const { document } of writes) if (document) for (const field of fields) fieldOf(document, field);
}

/** What is counted of the documents that are replaced or deleted. */
async function replacedBy(
  db: Db,
  { name, counts }: Collection,
  writes: readonly Write[],
  session: ClientSession,
): Promise<Document[]> {
  if (counts.length === 0) return [];
  const ids = writes.filter(({ isNew }) => !isNew).map(({ id }) => id);
  const projection = Object.fromEntries(['_id', ...counts.flatMap(countedFields)].map(field => [field, 1]));
  const stored = await findByIds<StoredDocument>(db, name, ids, { projection, session });
  return [...stored.values()].map(each => fromStored(each));
}

/**
 * In their order where an index is unique: one may free a value that a later one takes. New documents come last, since they free
 * none, so that they are one command, which looks for none of them.
 */
async function writeAll(
  db: Db,
  { name, indexes }: Collection,
  writes: readonly Write[],
  session: ClientSession,
): Promise<void> {
  const [inserts, others]: [Operation[], Operation[]] = [[], []];
  for (const { id, document, isNew } of writes) {
    const filter = { _id: id };
    if (!document) others.push({ deleteOne: { filter } });
    else if (isNew) inserts.push({ insertOne: { document: toStored(document) } });
    else others.push({ replaceOne: { filter, replacement: toStored(document), upsert: true } });
  }
  const ordered = indexes.some(({ unique }) => unique);
  try {
    await db.collection<StoredDocument>(name).bulkWrite([...others, ...inserts], { ordered, session });
  } catch (error) {
    throw error instanceof MongoInvalidArgumentError ? refusal(name, writes, error) : error;
  }
}

/** The driver measures documents before it sends any of them, and does not say which one is too large. */
function refusal(name: string, writes: readonly Write[], { message }: MongoInvalidArgumentError): TypeError {
  if (!message.includes('larger than the maximum size')) return new TypeError(`${name}: ${message}`);
  const sizes = writes.map(({ document }) => (document ? BSON.calculateObjectSize(toStored(document)) : 0));
  const largest = Math.max(...sizes);
  return new TypeError(
    `${name}: document ${writes[sizes.indexOf(largest)]!.id} has ${largest} bytes, more than MongoDB stores in one`,
  );
}
