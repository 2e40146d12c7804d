import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientSession, type Db, MongoError } from 'mongodb';
import { inTransaction, REPEATED } from './transaction';

/** What one client at a time works at. */
export interface Claimable {
  readonly _id: string;
  readonly by?: string;
  /** When the claim of a client ends that has crashed. */
  readonly until?: number;
}

/** Writes in a transaction that is refused once another client has ended the claim: the one that has it may have slept. */
export type Fenced = (write: (session: ClientSession) => Promise<unknown>) => Promise<void>;

class ClaimEnded extends Error {
  override readonly name = 'ClaimEnded';
}

const CLAIM_MS = 60_000;
const POLL_MS = 100;

const UNCLAIMED = { $unset: { by: true, until: true } } as const;

/** Does the work at what is claimed, unless it is not there, while other clients wait for it; again when its claim was ended. */
export async function exclusively<Claimed extends Claimable>(
  db: Db,
  collection: string,
  _id: string,
  work: (claimed: Claimed, fenced: Fenced) => Promise<void>,
): Promise<void> {
  const claims = db.collection<Claimable>(collection);
  const by = randomUUID();
  const claim = () => ({ $set: { by, until: Date.now() + CLAIM_MS } });
  const fenced: Fenced = write =>
    inTransaction(db.client, async session => {
      const { matchedCount } = await claims.updateOne({ _id, by }, claim(), { session });
      if (matchedCount === 0) throw new ClaimEnded();
      await write(session);
    });

  for (;;) {
    const free = { _id, until: { $not: { $gt: Date.now() } } };
    const claimed = await claims.findOneAndUpdate(free, claim(), { returnDocument: 'after' });
    if (!claimed) {
      if (!(await claims.findOne({ _id }))) return;
      await sleep(POLL_MS);
      continue;
    }
    // An index alone may take longer to build than a claim lasts.
    const renew = (): void => void claims.updateOne({ _id, by }, claim()).catch(() => undefined);
    const renewing = setInterval(renew, CLAIM_MS / 6);
    try {
      return await work(claimed as Claimed, fenced);
    } catch (error) {
      if (!(error instanceof ClaimEnded)) throw error;
    } finally {
      clearInterval(renewing);
      await claims.updateOne({ _id, by }, UNCLAIMED);
    }
  }
}

/**
 * Has the transaction in which they were read repeated while one of them is claimed. A claim that is over is ended: what its client
 * has read does not hold once this transaction has written.
 */
export async function endClaims(
  db: Db,
  collection: string,
  read: Iterable<Claimable>,
  session: ClientSession,
): Promise<void> {
  for (const { _id, by, until = 0 } of read) {
    if (until > Date.now()) throw claimedError(_id);
    if (by) await db.collection<Claimable>(collection).updateOne({ _id }, UNCLAIMED, { session });
  }
}

function claimedError(id: string): MongoError {
  const error = new MongoError(`another client works at ${id}`);
  error.addErrorLabel(REPEATED);
  return error;
}
