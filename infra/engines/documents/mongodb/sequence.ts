import type { Collection, Db } from 'mongodb';
import { CannotOpen } from '../../../config/cannot-open';
import { SEQUENCE } from './stored-document';

/** Commit numbers, increasing across all clients. */
export interface Sequence {
  next(): Promise<number>;
}

/** Concurrent increments of the check, and how often each client of them repeats it. */
const CLIENTS = 8;
const ROUNDS = 8;

/**
 * Opens the sequence of a database. Its numbers begin at the microseconds of the time, so that they are higher than all
 * numbers of documents that were restored without the sequence, or with an older one: a write with a lower number than
 * that of its document would change nothing.
 * @throws CannotOpen when the server gives one number to two clients
 */
export async function openSequence(db: Db, now: () => number = Date.now): Promise<Sequence> {
  const numbers: Collection<{ _id: string; value: number }> = db.collection(SEQUENCE);
  await numbers.updateOne({ _id: 'commits' }, { $max: { value: now() * 1_000 } }, { upsert: true });
  const sequence: Sequence = {
    next: async () => {
      const updated = await numbers.findOneAndUpdate(
        { _id: 'commits' },
        { $inc: { value: 1 } },
        { returnDocument: 'after' },
      );
      return updated!.value;
    },
  };
  await checkAtomic(sequence);
  return sequence;
}

/** Takes numbers that nobody uses, which needs no document of its own and leaves nothing behind. */
async function checkAtomic({ next }: Sequence): Promise<void> {
  const taken = new Set<number>();
  const take = async (): Promise<void> => {
    for (let round = 0; round < ROUNDS; round++) taken.add(await next());
  };
  await Promise.all(Array.from({ length: CLIENTS }, take));
  const missing = CLIENTS * ROUNDS - taken.size;
  if (missing > 0)
    throw new CannotOpen(
      'MONGODB_URL',
      `the server does not update a document atomically: ${missing} of ${CLIENTS * ROUNDS} concurrent increments (findAndModify) returned the value of another one; use MongoDB 4.4 or newer`,
    );
}
