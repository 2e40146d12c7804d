import { setTimeout as sleep } from 'node:timers/promises';
import type { Collection, Db } from 'mongodb';

/** What one client at a time works at. */
export interface Claimable {
  readonly _id: string;
  /** When the claim of a client ends that has crashed. */
  readonly until?: number;
}

const CLAIM_MS = 60_000;
const POLL_MS = 100;

/** Does the work at what is claimed, unless it is not there, while other clients wait for it. */
export async function exclusively<Claimed extends Claimable>(
  db: Db,
  collection: string,
  _id: string,
  work: (claimed: Claimed) => Promise<void>,
): Promise<void> {
  const claims: Collection<Claimable> = db.collection(collection);
  const claim = (until: object): Promise<Claimable | null> => {
    const $set = { until: Date.now() + CLAIM_MS };
    return claims.findOneAndUpdate({ _id, until }, { $set }, { returnDocument: 'after' });
  };

  let claimed: Claimable | null;
  while (!(claimed = await claim({ $not: { $gt: Date.now() } }))) {
    if (!(await claims.findOne({ _id }))) return;
    await sleep(POLL_MS);
  }
  // An index alone may take longer to build than a claim lasts. Nothing is claimed again once it is released.
  const renewing = setInterval(() => void claim({ $exists: true }).catch(() => undefined), CLAIM_MS / 6);
  try {
    await work(claimed as Claimed);
  } finally {
    clearInterval(renewing);
    await claims.updateOne({ _id }, { $unset: { until: true } });
  }
}
