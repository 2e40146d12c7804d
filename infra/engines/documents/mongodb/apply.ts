import type { AnyBulkWriteOperation, Collection as MongoCollection, Db } from 'mongodb';
import { EngineUnavailable } from '../../../../contracts/engine/engine-unavailable';
import { DuplicateKey } from '../../../../contracts/ports/documents';
import { counterUpdate } from './counters';
import { failuresOf, isIdTaken } from './errors';
import type { Intent, Operation } from './intent';
import { COUNTERS, type StoredDocument } from './stored-document';

type DocumentWrite = AnyBulkWriteOperation<StoredDocument>;

const MAX_BULK = 1_000;

const upsertOf = ({ id, body, keys }: Operation, commit: number, recovered: boolean): DocumentWrite[] => [
  {
    updateOne: {
      filter: { _id: id, commit: { $lt: commit } },
      update: { $set: { commit, body: body!, keys, ...(recovered && { recovered }) } },
      upsert: true,
    },
  },
];

/**
 * After a recovery a late write of the original writer may still arrive: a tombstone is left, whose higher commit number
 * makes the late write change nothing.
 */
const deletionOf = ({ id, keys }: Operation, commit: number): DocumentWrite[] => [
  {
    updateOne: {
      filter: { _id: id, commit: { $lt: commit }, recovered: true },
      update: { $set: { commit, keys }, $unset: { body: '' } },
    },
  },
  { deleteOne: { filter: { _id: id, commit: { $lt: commit }, recovered: { $ne: true } } } },
];

interface Bulk {
  readonly collection: MongoCollection<never>;
  readonly operations: readonly AnyBulkWriteOperation<never>[];
  readonly ordered: boolean;
}

/**
 * An upsert fails with a taken `_id` when a later commit, or this one, has already written the document, or when an
 * earlier write inserted it in between: the second attempt shows which.
 * @returns the messages of unique indexes that refused a write
 */
const run = async ({ collection, operations, ordered }: Bulk): Promise<string[]> => {
  const refused: string[] = [];
  const retried = new Set<AnyBulkWriteOperation<never>>();
  let remaining = operations;
  while (remaining.length > 0) {
    const batch = remaining.slice(0, MAX_BULK);
    remaining = remaining.slice(MAX_BULK);
    const failures = await collection.bulkWrite(batch, { ordered }).then(() => [], failuresOf);
    const retries: AnyBulkWriteOperation<never>[] = [];
    for (const { index, duplicate, message } of failures) {
      const operation = batch[index]!;
      if (!duplicate) throw new EngineUnavailable('documents', `MongoDB refused a write: ${message}`);
      if (!isIdTaken(message)) refused.push(message);
      else if (!retried.has(operation)) retries.push(operation);
      retried.add(operation);
    }
    const [failure] = failures;
    if (ordered && failure) remaining = [...retries, ...batch.slice(failure.index + 1), ...remaining];
    else remaining = [...retries, ...remaining];
  }
  return refused;
};

/**
 * Applies the writes of a commit. Idempotent, also when several clients do it at once: no write overwrites a later one.
 * @param recovered by another client than the commit's writer
 * @returns the error that the commit ends with although it was applied, or null
 */
export async function apply(
  db: Db,
  { commit, counterChanges, ordered }: Intent,
  operations: readonly Operation[],
  recovered: boolean,
): Promise<DuplicateKey | null> {
  const byCollection = new Map<string, DocumentWrite[]>();
  for (const operation of operations) {
    const bulk = byCollection.get(operation.collection) ?? [];
    const isDeletion = operation.body === null;
    bulk.push(...(isDeletion ? deletionOf(operation, commit) : upsertOf(operation, commit, recovered)));
    byCollection.set(operation.collection, bulk);
  }
  const bulks = [...byCollection].map(([name, bulk]): Bulk => ({
    collection: db.collection(name),
    operations: bulk as never,
    ordered: ordered.includes(name),
  }));
  const updates = counterChanges.map(change => counterUpdate(commit, change)) as never;
  bulks.push({ collection: db.collection(COUNTERS), operations: updates, ordered: false });
  const refused = (await Promise.all(bulks.map(run))).flat();
  return refused.length > 0 ? new DuplicateKey(refused[0]) : null;
}
