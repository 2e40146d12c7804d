import { randomUUID } from 'node:crypto';
import { type Collection, type MongoClient, MongoBulkWriteError } from 'mongodb';
import { CannotOpen } from '../../config/cannot-open';
import { DUPLICATE_KEY, hasCode, unwrapped } from './server-errors';
import { TRANSACTION } from './transaction';
import { STANDALONE } from './wrong-options';

type Checks = Collection<{ _id: string }>;

const refusal = (lacks: string): CannotOpen =>
  new CannotOpen('MONGODB_URL', `the server ${lacks}; use MongoDB 4.4 or newer`);

/**
 * Shows on the server itself what adapters rely on, so that one that only claims to be MongoDB is refused by the name of what it
 * lacks.
 * @param checks is written to, and has no less and no more afterwards
 * @throws CannotOpen
 */
export async function checkMongoDb(client: MongoClient, checks: Checks): Promise<void> {
  // The first releases of 4.4 do not know `hello`.
  const hello = await client.db('admin').command({ isMaster: 1 });
  const isSharded = hello['msg'] === 'isdbgrid';
  if (!isSharded && typeof hello['setName'] !== 'string') throw new CannotOpen('MONGODB_URL', STANDALONE);
  if (typeof hello['logicalSessionTimeoutMinutes'] !== 'number') throw refusal('has no sessions');
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
    await session.abortTransaction();
  });
  if (await checks.findOne({ _id })) throw refusal('keeps what an aborted transaction has written');
}

async function checkBulkErrors(checks: Checks, taken: string, free: string): Promise<void> {
  const inserts = [taken, taken, free].map(_id => ({ insertOne: { document: { _id } } }));
  const error: unknown = await checks.bulkWrite(inserts, { ordered: false }).catch(unwrapped);
  if (error instanceof Error && !hasCode(error, DUPLICATE_KEY)) throw error;
  const refused = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : [];
  if (refused.map(({ index }) => index).join() !== '1')
    throw refusal('does not say which write of a bulk it refused');
}
