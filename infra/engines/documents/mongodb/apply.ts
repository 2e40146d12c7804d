import type { AnyBulkWriteOperation, Collection as MongoCollection, Db } from 'mongodb';
import { EngineUnavailable } from '../../../../contracts/engine-unavailable';
import { DuplicateKey } from '../../../../contracts/ports/documents';
import { countingOf } from './counters';
import { failuresOf, isIdTaken } from './errors';
import type { Intent, Operation } from './intent';
import { COUNTERS, type Stored } from './layout';

const MOST_IN_BULK = 1_000;

const putOf = ({ id, body, k }: Operation, n: number, helped: boolean): AnyBulkWriteOperation<Stored>[] => [
  {
    updateOne: {
      filter: { _id: id, n: { $lt: n } },
      update: { $set: { n, body: body!, k, ...(helped && { helped }) } },
      upsert: true,
    },
  },
];

/**
 * Where a late write may still be on its way to a document, its place is kept: there is then something for the late
 * write to lose against.
 */
const deletionOf = ({ id, k }: Operation, n: number): AnyBulkWriteOperation<Stored>[] => [
  {
    updateOne: {
      filter: { _id: id, n: { $lt: n }, helped: true },
      update: { $set: { n, k }, $unset: { body: '' } },
    },
  },
  { deleteOne: { filter: { _id: id, n: { $lt: n }, helped: { $ne: true } } } },
];

interface Bulk {
  readonly collection: MongoCollection<never>;
  readonly operations: readonly AnyBulkWriteOperation<never>[];
  readonly ordered: boolean;
}

/**
 * An upsert whose `_id` is taken met a later write, or this very one, or it was overtaken on its way to an insert by an
 * earlier write: a second try tells. Answers what a unique index refused.
 */
const run = async ({ collection, operations, ordered }: Bulk): Promise<string[]> => {
  const refused: string[] = [];
  const tried = new Set<AnyBulkWriteOperation<never>>();
  let left = operations;
  while (left.length > 0) {
    const now = left.slice(0, MOST_IN_BULK);
    left = left.slice(MOST_IN_BULK);
    const failures = await collection.bulkWrite(now, { ordered }).then(() => [], failuresOf);
    const again: AnyBulkWriteOperation<never>[] = [];
    for (const { index, duplicate, message } of failures) {
      const operation = now[index]!;
      if (!duplicate) throw new EngineUnavailable('documents', `MongoDB refused a write: ${message}`);
      if (!isIdTaken(message)) refused.push(message);
      else if (!tried.has(operation)) again.push(operation);
      tried.add(operation);
    }
    const [failure] = failures;
    if (ordered && failure) left = [...again, ...now.slice(failure.index + 1), ...left];
    else left = [...again, ...left];
  }
  return refused;
};

/**
 * Does what a commit intends. Doing it again, or while others do it, changes nothing: each write gives way to a later one.
 * @param helped by another than the commit's writer
 * @returns the error with which the commit ends although it was done, if there is one
 */
export async function apply(
  db: Db,
  { n, tallies, inOrder }: Intent,
  operations: readonly Operation[],
  helped: boolean,
): Promise<DuplicateKey | null> {
  const byCollection = new Map<string, AnyBulkWriteOperation<Stored>[]>();
  for (const operation of operations) {
    const bulk = byCollection.get(operation.collection) ?? [];
    bulk.push(...(operation.body === null ? deletionOf(operation, n) : putOf(operation, n, helped)));
    byCollection.set(operation.collection, bulk);
  }
  const bulks = [...byCollection].map(([name, bulk]): Bulk => ({
    collection: db.collection(name),
    operations: bulk as never,
    ordered: inOrder.includes(name),
  }));
  const counting = tallies.map(tally => countingOf(n, tally)) as never;
  bulks.push({ collection: db.collection(COUNTERS), operations: counting, ordered: false });
  const refused = (await Promise.all(bulks.map(run))).flat();
  return refused.length > 0 ? new DuplicateKey(refused[0]) : null;
}
