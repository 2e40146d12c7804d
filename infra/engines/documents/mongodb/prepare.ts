import { randomUUID } from 'node:crypto';
import { type Collection, type Db, type MongoClient, MongoBulkWriteError } from 'mongodb';
import { CannotOpen } from '../../../config/cannot-open';
import { create } from './declare';
import { DUPLICATE_KEY, hasCode, unwrapped } from './errors';
import { CATALOG, CHECKPOINTS, CHECKS, COUNTERS } from './stored-document';
import { TRANSACTION } from './transaction';
import { STANDALONE } from './wrong-options';

type Checks = Collection<{ _id: string }>;

const refusal = (lacks: string): CannotOpen =>
  new CannotOpen('MONGODB_URL', `the server ${lacks}; use MongoDB 4.4 or newer`);

/** Numbered the commits of version 0.1, which stored documents as texts. A database of that has it. */
export const SEQUENCE = '_sequence';

export class OldLayout extends CannotOpen {
  constructor() {
    super('MONGODB_URL', 'its documents were stored by version 0.1');
  }
}

/**
 * Shows on the server itself what the adapter relies on, so that one that only claims to be MongoDB is refused by the name of
 * what it lacks. Leaves the collections of the adapter, with nothing in them.
 * @throws CannotOpen; OldLayout
 */
export async function prepare(client: MongoClient, db: Db): Promise<void> {
  // The first releases of 4.4 do not know `hello`.
  const hello = await client.db('admin').command({ isMaster: 1 });
  const isSharded = hello['msg'] === 'isdbgrid';
  if (!isSharded && typeof hello['setName'] !== 'string') throw new CannotOpen('MONGODB_URL', STANDALONE);
  if (typeof hello['logicalSessionTimeoutMinutes'] !== 'number') throw refusal('has no sessions');
  for (const name of [CHECKS, CATALOG, CHECKPOINTS, COUNTERS]) await create(db, name);
  await db.collection(COUNTERS).createIndex({ collection: 1 });
  await check(client, db.collection(CHECKS));
  if (await db.collection(SEQUENCE).findOne()) throw new OldLayout();
}

async function check(client: MongoClient, checks: Checks): Promise<void> {
  const [taken, free] = [randomUUID(), randomUUID()];
  try {
    await checkAbort(client, checks, free);
    await checkBulkErrors(checks, taken, free);
  } finally {
    await checks.deleteMany({ _id: { $in: [taken, free] } });
  }
}

async function checkAbort(client: MongoClient, checks: Checks, _id: string): Promise<void> {
  await client.withSession(async session => {
    session.startTransaction(TRANSACTION);
    await checks.insertOne({ _id }, { session });
    const seen = await checks.findOne({ _id }, { session });
    await session.abortTransaction();
    if (!seen) throw refusal('does not show a transaction its own writes');
  });
  if (await checks.findOne({ _id })) throw refusal('keeps what an aborted transaction has written');
}

async function checkBulkErrors(checks: Checks, taken: string, free: string): Promise<void> {
  await checks.insertOne({ _id: taken });
  const inserts = [free, taken].map(_id => ({ insertOne: { document: { _id } } }));
  const error: unknown = await checks.bulkWrite(inserts, { ordered: false }).catch(unwrapped);
  if (error instanceof Error && !hasCode(error, DUPLICATE_KEY)) throw error;
  const refused =
    error instanceof MongoBulkWriteError ? [error.writeErrors].flat().map(({ index }) => index) : [];
  if (refused.join() !== '1') throw refusal('does not say which write of a bulk it refused');
}
